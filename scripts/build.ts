import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {build, type Metafile} from 'esbuild';
import {leaveOutUnused} from './unused-packages.ts';

/**
 * Bundles src/ and components/ into dist/: one entry for the program, one for the demo agent, shared chunks split off.
 * Everything that is not native is bundled, so an installed acp-tui resolves no dependencies at start.
 */
const result = await build({
  entryPoints: {main: 'src/main.ts', 'demo-agent': 'src/demo/main.ts'},
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  minify: true,
  keepNames: false,
  metafile: true,
  legalComments: 'none',
  jsx: 'automatic',
  define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'},
  // Ink loads its devtools only when DEV is set; node-pty is native, and installed where there is a build of it.
  external: ['react-devtools-core', '@lydell/node-pty'],
  // CommonJS packages inside an ESM bundle still call require for Node's own modules.
  banner: {js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);"},
  // It raises every signal once more, which looks like a user who signals twice. Who leaves in order comes to `exit`.
  alias: {'when-exit': './scripts/when-exit.ts'},
  plugins: [
    {name: 'clean', setup: (b) => b.onStart(() => rmSync('dist', {recursive: true, force: true}))},
    leaveOutUnused,
  ],
});

writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences(result.metafile));

/** The licence texts of every package that went into the bundle. */
function licences(metafile: Metafile): string {
  const packages = new Set<string>();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match?.[1]) packages.add(match[1]);
  }
  return [...packages].sort().map(licenceOf).join('\n');
}

function licenceOf(folder: string): string {
  const {name, version, license} = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const text = ['LICENSE', 'LICENSE.md', 'license', 'license.md', 'LICENSE.txt', 'LICENCE', 'LICENSE-MIT']
    .map((file) => read(`${folder}/${file}`))
    .find(Boolean);
  return `${name} ${version} (${license})\n\n${text ?? ''}\n${'-'.repeat(80)}\n`;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

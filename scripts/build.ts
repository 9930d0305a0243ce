import {copyFileSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename} from 'node:path';
import {build} from 'esbuild';
import {leaveOutUnused} from './unused-packages.ts';
import {quickWidth} from './quick-width.ts';
import {yogaWithoutFetch} from './yoga-without-fetch.ts';

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
  // Ink loads its devtools only when DEV is set; node-pty and the keyring are native, and installed where there is a build of them.
  external: ['react-devtools-core', '@lydell/node-pty', '@napi-rs/keyring'],
  // CommonJS packages inside an ESM bundle still call require for Node's own modules.
  banner: {js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);"},
  // conf's writer loses settings on a full disk, and raises every signal once more, which looks like a user who signals twice.
  alias: {atomically: './scripts/stand-ins/atomically.ts'},
  inject: ['./scripts/stand-ins/segmenter.ts'],
  plugins: [
    {name: 'clean', setup: (b) => b.onStart(() => rmSync('dist', {recursive: true, force: true}))},
    leaveOutUnused,
    quickWidth,
    yogaWithoutFetch,
  ],
});

/** What is read as files at run time: the shell grammar of command rules. */
const files = [
  'node_modules/web-tree-sitter/web-tree-sitter.wasm',
  'node_modules/tree-sitter-bash/tree-sitter-bash.wasm',
];
for (const file of files) copyFileSync(file, `dist/${basename(file)}`);

writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences([...Object.keys(result.metafile.inputs), ...files]));

/** The licence texts of every package that went into dist/. */
function licences(files: readonly string[]): string {
  const packages = new Set<string>();
  for (const file of files) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (match?.[1]) packages.add(match[1]);
  }
  return [...packages].sort().map(licenceOf).join('\n');
}

function licenceOf(folder: string): string {
  const {name, version, license} = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const text = [
    'LICENSE',
    'LICENSE.md',
    'license',
    'license.md',
    'LICENSE.txt',
    'LICENCE',
    'LICENSE-MIT',
    'LICENSE.MIT',
  ]
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

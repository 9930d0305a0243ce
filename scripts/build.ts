import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {resolve, basename} from 'node:path';
import {brotliCompressSync, constants} from 'node:zlib';
import {build, type Plugin} from 'rolldown';
import {escapeNonAscii} from './ascii.ts';
import {withoutImports} from './builtin-imports.ts';
import {chunkOf} from './chunks.ts';
import {replacements} from './replacements.ts';

/** Makes chunks faster to load. */
const fastChunks: Plugin = {
  name: 'fast-chunks',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk') file.code = escapeNonAscii(withoutImports(file.code));
  },
};

rmSync('dist', {recursive: true, force: true});
/**
 * Bundles src/ and components/ into dist/: one entry for the program, one for the demo agent, shared chunks split off.
 * Everything that is not native is bundled, so an installed acp-tui resolves no dependencies at startup.
 */
const {output} = await build({
  input: {main: 'src/main.ts', 'demo-agent': 'src/demo/main.ts'},
  platform: 'node',
  // Ink loads its devtools only when DEV is set; node-pty and the keyring are native, and installed where there is a build of them.
  external: ['react-devtools-core', '@lydell/node-pty', '@napi-rs/keyring'],
  // conf's writer loses settings on a full disk, and raises every signal once more, which looks like a second signal from the user.
  resolve: {alias: {atomically: resolve('scripts/stand-ins/atomically.ts')}},
  plugins: [replacements, fastChunks],
  transform: {
    target: 'node22',
    jsx: 'react-jsx',
    define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'},
    inject: {'Intl.Segmenter': [resolve('scripts/stand-ins/segmenter.ts'), 'Segmenter']},
  },
  // web-tree-sitter calls eval for code of its own build; an import that is dynamic in only one place neither saves nor costs anything.
  preserveEntrySignatures: false,
  checks: {eval: false, ineffectiveDynamicImport: false},
  output: {
    dir: 'dist',
    format: 'esm',
    minify: true,
    comments: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{debugName: 'starts', name: chunkOf, test: (id) => !id.endsWith('src/main.ts')}],
    },
  },
});

/** Files read at run time, compressed here since npm compresses them less: the shell grammar of command rules. */
const files = [
  'node_modules/web-tree-sitter/web-tree-sitter.wasm',
  'node_modules/tree-sitter-bash/tree-sitter-bash.wasm',
];
for (const file of files)
  writeFileSync(
    `dist/${basename(file)}.br`,
    brotliCompressSync(readFileSync(file), {params: {[constants.BROTLI_PARAM_QUALITY]: 11}}),
  );

writeFileSync(
  'dist/THIRD-PARTY-LICENSES.txt',
  licenses([...output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])), ...files]),
);

/** The license texts of every package in dist/. */
function licenses(files: readonly string[]): string {
  const packages = new Set<string>();
  for (const file of files) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (match?.[1]) packages.add(match[1]);
  }
  return [...packages].sort().map(licenseOf).join('\n');
}

function licenseOf(folder: string): string {
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

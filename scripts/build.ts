import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename} from 'node:path';
import {brotliCompressSync, constants} from 'node:zlib';
import {build, type BuildOptions, type OutputOptions} from 'rolldown';
import {chunkOf} from './chunks.ts';

/** What both bundles have in common. */
const common = {
  platform: 'node',
  transform: {
    target: 'node22',
    jsx: 'react-jsx',
    define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'},
  },
  // web-tree-sitter calls eval for code of its own build; an import that is dynamic in only one place neither saves nor costs anything.
  preserveEntrySignatures: false,
  checks: {eval: false, ineffectiveDynamicImport: false},
} satisfies BuildOptions;
const form = {dir: 'dist', format: 'esm', minify: true, comments: false} satisfies OutputOptions;

/** What runs when it is loaded, so that no chunk may contain it. */
const entries = {main: 'src/main.ts', 'demo-agent': 'src/demo/main.ts'};
const isEntry = (id: string) => Object.values(entries).some((entry) => id.endsWith(entry));

rmSync('dist', {recursive: true, force: true});
/**
 * Bundles src/ and components/ into dist/: one entry for the program, one for the demo agent, shared chunks split off.
 * Everything that is not native is bundled, so an installed acp-tui resolves no dependencies at startup.
 */
const program = await build({
  ...common,
  input: entries,
  // Ink loads its devtools only when DEV is set; node-pty and the keyring are native, and installed where there is a build of them. The sandbox's proxies are
  // for Linux only, and loaded when something inside connects.
  external: [
    'react-devtools-core',
    '@lydell/node-pty',
    '@napi-rs/keyring',
    /^@anthropic-ai\/sandbox-runtime\//,
  ],
  output: {
    ...form,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{debugName: 'starts', name: chunkOf, test: (id) => !isEntry(id)}],
    },
  },
});
/** The thread for texts is one file: it starts faster, and the program is not split into more chunks for what both use. */
const thread = await build({
  ...common,
  input: {'text-worker': 'src/worker/main.ts'},
  output: form,
});
const output = [...program.output, ...thread.output];

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

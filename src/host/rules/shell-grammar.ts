import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';
import {setFlagsFromString} from 'node:v8';
import {brotliDecompressSync} from 'node:zlib';

/** A node in the syntax tree of a line: the subset of tree-sitter's nodes in use. */
export interface ShellNode {
  readonly type: string;
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly isMissing: boolean;
  readonly children: readonly ShellNode[];
}

/** Parses a line as a shell does and calls `use` with the tree, which is freed afterwards. Undefined if it cannot be parsed at all. */
export type ShellGrammar = <T>(line: string, use: (root: ShellNode) => T) => T | undefined;

let loading: Promise<ShellGrammar> | undefined;

/** Loads tree-sitter with the bash grammar. Takes about 30 ms the first time, so it is loaded only if a rule needs it. */
export function loadShellGrammar(): Promise<ShellGrammar> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ShellGrammar> {
  const parser = await createParser();
  return (line, use) => {
    const tree = parser.parse(line);
    if (!tree) return undefined;
    try {
      return use(tree.rootNode);
    } finally {
      tree.delete();
    }
  };
}

/**
 * V8 would optimize the largest function of the grammar as soon as a line was parsed: that takes seconds and 700 MB, and lines are parsed as fast without. What
 * is compiled meanwhile is never optimized; functions are when they run first.
 */
async function createParser() {
  setOptimizing(false);
  try {
    const {Language, Parser} = await import('web-tree-sitter');
    await Parser.init({wasmBinary: wasmOf('web-tree-sitter/web-tree-sitter.wasm')});
    const bash = await Language.load(wasmOf('tree-sitter-bash/tree-sitter-bash.wasm'));
    const parser = new Parser().setLanguage(bash);
    parser.parse('true')?.delete();
    return parser;
  } finally {
    setOptimizing(true);
  }
}

function setOptimizing(isOn: boolean): void {
  for (const name of ['wasm-tier-up', 'wasm-dynamic-tiering'])
    setFlagsFromString(isOn ? `--${name}` : `--no-${name}`);
}

/** Reads a file that is next to the bundle in a build, compressed, and in its package otherwise. */
function wasmOf(name: string): Uint8Array {
  const beside = fileURLToPath(new URL(`./${name.slice(name.indexOf('/') + 1)}.br`, import.meta.url));
  return existsSync(beside)
    ? brotliDecompressSync(readFileSync(beside))
    : readFileSync(createRequire(import.meta.url).resolve(name));
}

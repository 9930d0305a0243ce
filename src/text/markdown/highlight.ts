import type {LanguageFn} from 'highlight.js';
import {createLowlight} from 'lowlight';
import type {MarkdownStyle} from './style.ts';

const lowlight = createLowlight();
const loading = new Map<string, Promise<void>>();
/** Grammars that failed to load: their code stays plain. */
const broken = new Set<string>();

/** Longer code is not highlighted, which would block the keyboard. */
const MAX_CODE = 200_000;

/** True if the grammar is loaded, or will never be. */
export function highlightReady(language: string): boolean {
  const grammar = grammarOf(language);
  return grammar === undefined || broken.has(grammar) || lowlight.registered(grammar);
}

/** Loads a grammar by the language of a fence. Resolves for unknown ones too; never rejects. */
export async function loadHighlight(language: string): Promise<void> {
  const grammar = grammarOf(language);
  if (grammar === undefined || highlightReady(language)) return;
  let promise = loading.get(grammar);
  if (promise === undefined) {
    promise = register(grammar);
    loading.set(grammar, promise);
  }
  await promise;
}

async function register(grammar: string): Promise<void> {
  try {
    const loaded = await GRAMMARS[grammar]?.();
    if (loaded) lowlight.register(grammar, loaded.default);
  } catch {
    broken.add(grammar);
  }
}

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
  readonly properties?: {readonly className?: unknown};
}

/** A token of a line of code, with its highlight.js class. */
export interface CodePiece {
  readonly text: string;
  readonly token: string | undefined;
}

/** Returns code as tokens, line by line; undefined if its grammar is not loaded, or fails. */
export function codePieces(code: string, language: string): readonly (readonly CodePiece[])[] | undefined {
  const grammar = grammarOf(language);
  if (grammar === undefined || !lowlight.registered(grammar) || code.length > MAX_CODE) return undefined;
  try {
    return piecesIn(lowlight.highlight(grammar, code, {prefix: ''}));
  } catch {
    // Code on which a grammar fails is shown plain.
    return undefined;
  }
}

/** Returns code as styled lines: highlighted if its grammar is loaded, otherwise plain. */
export function highlightLines(code: string, language: string, style: MarkdownStyle['codeBlock']): string[] {
  const pieces = codePieces(code, language) ?? code.split('\n').map((text) => [{text, token: undefined}]);
  return pieces.map((line) => line.map(({text, token}) => (text === '' ? '' : style(text, token))).join(''));
}

function piecesIn(root: Node): readonly (readonly CodePiece[])[] {
  const lines: CodePiece[][] = [[]];
  const visit = (node: Node, token: string | undefined): void => {
    const {className} = node.properties ?? {};
    const own = Array.isArray(className) ? className.join(' ') : token;
    for (const [index, text] of (node.value?.split('\n') ?? []).entries()) {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({text, token});
    }
    for (const child of node.children ?? []) visit(child, own);
  };
  visit(root, undefined);
  return lines;
}

type Load = () => Promise<{default: LanguageFn}>;

/** Grammars by highlight.js' names, loaded on first use. */
const GRAMMARS: Readonly<Record<string, Load>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  elixir: () => import('highlight.js/lib/languages/elixir'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  haskell: () => import('highlight.js/lib/languages/haskell'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  nix: () => import('highlight.js/lib/languages/nix'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  scss: () => import('highlight.js/lib/languages/scss'),
  shell: () => import('highlight.js/lib/languages/shell'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

const ALIASES: Readonly<Record<string, string>> = {
  'c++': 'cpp',
  cc: 'cpp',
  h: 'c',
  hpp: 'cpp',
  cs: 'csharp',
  'c#': 'csharp',
  console: 'shell',
  cts: 'typescript',
  docker: 'dockerfile',
  ex: 'elixir',
  exs: 'elixir',
  golang: 'go',
  hs: 'haskell',
  htm: 'xml',
  html: 'xml',
  js: 'javascript',
  json5: 'json',
  jsonc: 'json',
  jsonl: 'json',
  jsx: 'javascript',
  cjs: 'javascript',
  mjs: 'javascript',
  kt: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  mts: 'typescript',
  patch: 'diff',
  ps1: 'powershell',
  pwsh: 'powershell',
  py: 'python',
  python3: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shellsession: 'shell',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  yml: 'yaml',
  zsh: 'bash',
  fish: 'bash',
};

/** Returns the grammar for the language of a fence (`ts`, `Python`, `{.rust}`); undefined if there is none. */
function grammarOf(language: string): string | undefined {
  const name = language.toLowerCase().replace(/^[{.]+|[},:;\s].*$/g, '');
  const grammar = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return grammar !== undefined && Object.hasOwn(GRAMMARS, grammar) ? grammar : undefined;
}

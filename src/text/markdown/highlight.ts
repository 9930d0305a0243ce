import {createLowlight} from 'lowlight';
import {GRAMMARS, grammarOf} from './languages.ts';
import type {MarkdownStyle} from './style.ts';

const lowlight = createLowlight();
const loading = new Map<string, Promise<void>>();
/** Grammars that could not be loaded: their code stays plain. */
const broken = new Set<string>();

/** Code longer than this is not highlighted: it would hold up the keyboard. */
const MAX_CODE = 200_000;

/** True when code in this language is highlighted now, or never will be. */
export function highlightReady(language: string): boolean {
  const grammar = grammarOf(language);
  return grammar === undefined || broken.has(grammar) || lowlight.registered(grammar);
}

/** Loads the grammar of a language by its name on the fence. Resolves for unknown ones too; never rejects. */
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

/** Code as styled lines: highlighted where its grammar is loaded, else plain. */
export function highlightLines(code: string, language: string, style: MarkdownStyle['codeBlock']): string[] {
  const grammar = grammarOf(language);
  const plain = (): string[] => code.split('\n').map((line) => (line === '' ? '' : style(line, undefined)));
  if (grammar === undefined || !lowlight.registered(grammar) || code.length > MAX_CODE) return plain();
  try {
    return styledLines(lowlight.highlight(grammar, code, {prefix: ''}), style);
  } catch {
    // A grammar that fails on some input is no reason not to show it.
    return plain();
  }
}

function styledLines(root: Node, style: MarkdownStyle['codeBlock']): string[] {
  const lines = [''];
  const visit = (node: Node, token: string | undefined): void => {
    const {className} = node.properties ?? {};
    const own = Array.isArray(className) ? className.join(' ') : token;
    for (const [index, part] of (node.value?.split('\n') ?? []).entries()) {
      if (index > 0) lines.push('');
      if (part !== '') lines[lines.length - 1] += style(part, token);
    }
    for (const child of node.children ?? []) visit(child, own);
  };
  visit(root, undefined);
  return lines;
}

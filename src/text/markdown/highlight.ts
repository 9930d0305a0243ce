import dockerfile from 'highlight.js/lib/languages/dockerfile';
import elixir from 'highlight.js/lib/languages/elixir';
import haskell from 'highlight.js/lib/languages/haskell';
import nix from 'highlight.js/lib/languages/nix';
import powershell from 'highlight.js/lib/languages/powershell';
import scala from 'highlight.js/lib/languages/scala';
import {common, createLowlight} from 'lowlight';
import type {MarkdownStyle} from './style.ts';

const lowlight = createLowlight({...common, dockerfile, elixir, haskell, nix, powershell, scala});
lowlight.registerAlias({bash: ['fish'], json: ['jsonl'], python: ['python3'], xml: ['htm', 'vue']});

/** Longer code is not highlighted. */
const MAX_CODE = 200_000;

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

interface Code {
  /** The language of a fence (`ts`, `Python`, `{.rust}`), or the extension or name of a file. */
  readonly language: string;
  readonly texts: readonly string[];
}

/** Returns each text as tokens, line by line; undefined if there is no grammar for it, or the grammar fails. Takes any time for some texts. */
export function highlightCode({
  language,
  texts,
}: Code): readonly (readonly (readonly CodePiece[])[] | undefined)[] {
  return texts.map((text) => codePieces(text, language));
}

function codePieces(code: string, language: string): readonly (readonly CodePiece[])[] | undefined {
  const grammar = language.toLowerCase().replace(/^[{.]+|[},:;\s].*$/g, '');
  if (code.length > MAX_CODE || !lowlight.registered(grammar)) return undefined;
  try {
    return piecesIn(lowlight.highlight(grammar, code, {prefix: ''}));
  } catch {
    // Code on which a grammar fails is shown plain.
    return undefined;
  }
}

/** Returns code as styled lines: highlighted if there is a grammar, otherwise plain. */
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

import type {ShellNode} from './shell-grammar.ts';

/**
 * Characters that mean themselves in every shell, or an escaped one. Not `~` or `=` where a shell may expand them, and no
 * braces, globs or history.
 */
const PLAIN = /^(?![~=])(?:[\p{L}\p{N}\p{M}\p{So}_@%+,./^-]|[:=](?!~)|~|\\[^\n])+$/u;

/** What a word is when the shell has read it; undefined where that depends on anything but the word. */
export function literalOf(node: ShellNode): string | undefined {
  const {type, text, children} = node;
  switch (type) {
    case 'command_name': {
      const [only] = children;
      return children.length === 1 && only ? literalOf(only) : undefined;
    }
    case 'word':
    case 'number':
      return PLAIN.test(text) ? text.replace(/\\([^])/gu, '$1') : undefined;
    case 'raw_string':
      return /^'[^']*'$/.test(text) ? text.slice(1, -1) : undefined;
    case 'string':
      return literalString(node);
    case 'concatenation':
      return joined(node);
    default:
      return undefined;
  }
}

function literalString({text, children}: ShellNode): string | undefined {
  const isPlain = children.every(({type}) => type === '"' || type === 'string_content');
  if (!isPlain || !/^"(?:[^"\\$`]|\\[^])*"$/.test(text)) return undefined;
  return text
    .slice(1, -1)
    .replace(/\\(?:([\\"$`])|\n)/g, (_, character: string | undefined) => character ?? '');
}

function joined({startIndex, endIndex, children}: ShellNode): string | undefined {
  let at = startIndex;
  let whole = '';
  for (const child of children) {
    const part = literalOf(child);
    if (part === undefined || child.startIndex !== at) return undefined;
    whole += part;
    at = child.endIndex;
  }
  return at === endIndex ? whole : undefined;
}

import {wrap} from '../wrap.ts';
import type {Block} from './style.ts';

/** Returns the wrapped source of a block, without surrounding blank lines. */
export function plainLines({source}: Block, columns: number): string[] {
  const text = source.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  return text === '' ? [] : wrap(text, columns);
}

/** The start of a heading, a quote or an item of a list. */
const LINE_START = /(?<![^\n])[ \t]*(?:#{1,6}|>|[-*+])[ \t]+/g;
/** Marks around words; not those inside of paths and identifiers. */
const MARKED = /(?<![^\s([{"'])(\*{1,3}|_|~~|`+)(?=\S)([^\n]*?\S)\1(?![^\s.,:;!?)\]}"'])/g;

/** Returns the words of a short Markdown text on one line. Takes quadratic time: pass what is shown, not a whole message. */
export function plainWords(text: string): string {
  return text.replace(LINE_START, '').replace(MARKED, '$2').replace(/\s+/g, ' ').trim();
}

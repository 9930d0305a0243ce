import {previousEdge} from './graphemes.ts';

/** Where the line begins that an offset is in. */
export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Where the line ends that an offset is in, before its line break. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** The first place in the line that is not blank, or its end. */
export function firstInLine(text: string, at: number): number {
  const start = lineStart(text, at);
  const end = lineEnd(text, at);
  const blanks = text.slice(start, end).search(/\S/u);
  return blanks === -1 ? end : start + blanks;
}

/** The last place of a line that a caret can have which stands on a character, at or before an offset. */
export function onCharacter(text: string, at: number): number {
  return at === lineEnd(text, at) && at > lineStart(text, at) ? previousEdge(text, at) : at;
}

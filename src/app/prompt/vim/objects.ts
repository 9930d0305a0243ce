import {lineEnd, lineStart} from '../lines.ts';
import {enclosing} from './brackets.ts';
import type {ObjectKey} from './parse.ts';
import {isBlank, runEnd, runStart, type WordSize} from './words.ts';

export interface Range {
  readonly from: number;
  readonly to: number;
}

const brackets: Readonly<Record<string, string>> = {
  '(': '(',
  ')': '(',
  b: '(',
  '[': '[',
  ']': '[',
  '{': '{',
  '}': '{',
  B: '{',
  '<': '<',
  '>': '<',
};

/** What a text object is around a place; undefined where there is none. */
export function objectAt(text: string, at: number, {key, extent}: ObjectKey): Range | undefined {
  if (key === 'w' || key === 'W') return word(text, at, {size: key === 'w' ? 'small' : 'big', extent});
  const opening = brackets[key];
  if (opening === undefined) return quoted(text, at, {quote: key, extent});
  const found = enclosing(text, at, opening);
  if (!found) return undefined;
  return extent === 'inner'
    ? {from: found.open + 1, to: found.close}
    : {from: found.open, to: found.close + 1};
}

function word(
  text: string,
  at: number,
  {size, extent}: {readonly size: WordSize; readonly extent: ObjectKey['extent']},
): Range | undefined {
  if (at >= lineEnd(text, at)) return undefined;
  const inner = {from: runStart(text, at, size), to: runEnd(text, at, size).end};
  if (extent === 'inner') return inner;
  const end = lineEnd(text, at);
  // With the blanks behind it, or else those before it; blanks with the word behind them.
  if (inner.to < end && isBlank(text, inner.to) !== isBlank(text, at))
    return {from: inner.from, to: runEnd(text, inner.to, size).end};
  const start = lineStart(text, at);
  const hasBlanksBefore = inner.from > start && isBlank(text, inner.from - 1);
  return hasBlanksBefore ? {from: runStart(text, inner.from - 1, size), to: inner.to} : inner;
}

function quoted(
  text: string,
  at: number,
  {quote, extent}: {readonly quote: string; readonly extent: ObjectKey['extent']},
): Range | undefined {
  const start = lineStart(text, at);
  const line = text.slice(start, lineEnd(text, at));
  const places = [...line.matchAll(/\\.|./gsu)].filter(([character]) => character === quote);
  for (let index = 0; index + 1 < places.length; index += 2) {
    const open = start + (places[index]?.index ?? 0);
    const close = start + (places[index + 1]?.index ?? 0);
    if (at > close) continue;
    if (extent === 'inner') return {from: open + 1, to: close};
    const blanks = /^[ \t]*/.exec(text.slice(close + 1))?.[0].length ?? 0;
    return {from: open, to: close + 1 + blanks};
  }
  return undefined;
}

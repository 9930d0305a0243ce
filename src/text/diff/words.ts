import {diffWordsWithSpace} from 'diff';
import type {DiffSegment} from './diff-lines.ts';

export interface MarkedPair {
  readonly removed: readonly DiffSegment[];
  readonly added: readonly DiffSegment[];
}

/** Longer lines are minified code or data: marks on words would take long; what lies between the same ends is marked. */
const MAX_LINE = 2000;
const MAX_EDITS = 400;
/** With less in common than this, the marks would cover nearly everything. */
const MIN_COMMON = 0.3;

/** Marks what differs between a line and the one that replaced it; undefined when they are different lines. */
export function markWords(before: string, after: string): MarkedPair | undefined {
  const [oldText, oldEnd] = parts(before);
  const [newText, newEnd] = parts(after);
  if (oldText === newText) {
    if (oldEnd.startsWith('\r') === newEnd.startsWith('\r')) return undefined;
    return {removed: withEnd(oldText, oldEnd), added: withEnd(newText, newEnd)};
  }
  if (oldText.length + newText.length > 2 * MAX_LINE) return markBetween(oldText, newText);
  const changes = diffWordsWithSpace(oldText, newText, {maxEditLength: MAX_EDITS});
  if (changes === undefined) return undefined;
  const common = changes.reduce(
    (sum, {added, removed, value}) => sum + (added || removed ? 0 : value.trim().length),
    0,
  );
  if (common < MIN_COMMON * Math.max(oldText.trim().length, newText.trim().length)) return undefined;
  return {
    removed: changes.filter(({added}) => !added).map(({value, removed}) => ({text: value, changed: removed})),
    added: changes.filter(({removed}) => !removed).map(({value, added}) => ({text: value, changed: added})),
  };
}

/** Marks all between the start and the end that two lines share. */
function markBetween(before: string, after: string): MarkedPair | undefined {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  if (start + end < MIN_COMMON * Math.max(before.length, after.length)) return undefined;
  // No character of two halves is cut.
  if (/[\ud800-\udbff]/.test(before.charAt(start - 1))) start--;
  if (/[\udc00-\udfff]/.test(before.charAt(before.length - end))) end--;
  const marked = (text: string) =>
    [
      {text: text.slice(0, start), changed: false},
      {text: text.slice(start, text.length - end), changed: true},
      {text: text.slice(text.length - end), changed: false},
    ].filter(({text: part}) => part !== '');
  return {removed: marked(before), added: marked(after)};
}

function parts(line: string): [text: string, end: string] {
  const text = line.replace(/\r?\n$/, '');
  return [text, line.slice(text.length)];
}

function withEnd(text: string, end: string): DiffSegment[] {
  const line = {text, changed: false};
  return end.startsWith('\r') ? [line, {text: '␍', changed: true}] : [line];
}

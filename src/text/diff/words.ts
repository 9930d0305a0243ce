import {diffWordsWithSpace} from 'diff';
import type {DiffSegment} from './diff-lines.ts';

export interface MarkedPair {
  readonly removed: readonly DiffSegment[];
  readonly added: readonly DiffSegment[];
}

/** Longer lines are minified code or data: marks would take long and help nobody. */
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
  if (oldText.length + newText.length > 2 * MAX_LINE) return undefined;
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

function parts(line: string): [text: string, end: string] {
  const text = line.replace(/\r?\n$/, '');
  return [text, line.slice(text.length)];
}

function withEnd(text: string, end: string): DiffSegment[] {
  const line = {text, changed: false};
  return end.startsWith('\r') ? [line, {text: '␍', changed: true}] : [line];
}

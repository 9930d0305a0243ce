import {diffArrays, diffWordsWithSpace} from 'diff';

/** A part of a line; `changed` is true for the words that differ from the paired line. */
interface DiffSegment {
  readonly text: string;
  readonly changed: boolean;
}

export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  /** 1-based line numbers; a removed line has only the old one, an added line only the new one. */
  readonly oldNumber?: number;
  readonly newNumber?: number;
  /** The line without its end. A carriage return is shown as `␍` if it is the only difference. */
  readonly segments: readonly DiffSegment[];
  /** True for an added or removed last line without a line feed, if the other text has one. */
  readonly noNewlineAtEnd?: true;
}

/** Nearby changes with the unchanged lines around them. */
export interface Hunk {
  readonly lines: readonly DiffLine[];
}

export interface Diff {
  readonly hunks: readonly Hunk[];
  /** Numbers of lines. */
  readonly stats: {readonly added: number; readonly removed: number};
  /** True if there was no old text: the file is new. */
  readonly newFile: boolean;
  /** True if the texts were too different to compare: the differing part is shown as replaced completely. */
  readonly approximate: boolean;
}

interface DiffOptions {
  /** Unchanged lines shown before and after each change. */
  readonly context: number;
  /** The number of the first line, by default 1; null if unknown, so that no line has a number. */
  readonly firstLine?: number | null;
}

/** Compares two texts line by line, with the changed words of paired lines marked. `oldText` is null for a new file. */
export function diffLines(
  oldText: string | null | undefined,
  newText: string,
  {context, firstLine = 1}: DiffOptions,
): Diff {
  const newFile = oldText === null || oldText === undefined;
  const {changes, approximate} = compareLines(linesOf(oldText ?? ''), linesOf(newText));
  // Many agents send only the changed part of a file, which says nothing about the end of the file.
  const endsDiffer = !newFile && oldText.endsWith('\n') !== newText.endsWith('\n');
  const first = firstLine === null ? undefined : {oldNumber: firstLine, newNumber: firstLine};
  const lines = numbered(changes, {endsDiffer, words: !approximate, first});
  return {
    hunks: hunksOf(lines, context),
    stats: {added: count(lines, 'added'), removed: count(lines, 'removed')},
    newFile,
    approximate,
  };
}

/** Line numbers of a hunk's first line in both texts. */
interface LineNumbers {
  readonly oldNumber: number;
  readonly newNumber: number;
}

const PATCH_SIGNS: Readonly<Record<string, keyof Change>> = {' ': 'same', '-': 'removed', '+': 'added'};

/** Returns a hunk of a patch, whose lines start with ` `, `-`, `+` or, for a remark on the line above, `\\`. */
export function hunkOfPatch(lines: readonly string[], first: LineNumbers): Hunk {
  const changes: {same: string[]; removed: string[]; added: string[]}[] = [];
  for (const [index, line] of lines.entries()) {
    const kind = PATCH_SIGNS[line.charAt(0)];
    if (kind === undefined) continue;
    const last = changes.at(-1);
    const isNext = !last || (kind === 'same' ? isChange(last) : kind === 'removed' && last.added.length > 0);
    const change = isNext ? {same: [], removed: [], added: []} : last;
    if (isNext) changes.push(change);
    change[kind].push(line.slice(1) + (lines[index + 1]?.startsWith('\\') ? '' : '\n'));
  }
  return {lines: numbered(changes, {endsDiffer: true, words: true, first})};
}

function isChange({removed, added}: Change): boolean {
  return removed.length + added.length > 0;
}

function count(lines: readonly DiffLine[], kind: DiffLine['kind']): number {
  return lines.reduce((sum, line) => sum + (line.kind === kind ? 1 : 0), 0);
}

/** Returns all lines of both texts, in display order. */
function numbered(
  changes: readonly Change[],
  {endsDiffer, words, first}: {endsDiffer: boolean; words: boolean; first: LineNumbers | undefined},
): DiffLine[] {
  const lines: DiffLine[] = [];
  const next = {oldNumber: 0, newNumber: 0, ...first};
  const take = (...names: readonly (keyof typeof next)[]) =>
    first === undefined ? {} : Object.fromEntries(names.map((name) => [name, next[name]++]));
  for (const {same, removed, added} of changes) {
    for (const line of same) {
      lines.push({kind: 'context', ...take('oldNumber', 'newNumber'), segments: plain(line)});
    }
    const pairs = removed.map((line, index) => {
      const pair = added[index];
      return words && pair !== undefined ? markWords(line, pair) : undefined;
    });
    for (const [index, line] of removed.entries()) {
      const segments = pairs[index]?.removed ?? plain(line);
      lines.push({kind: 'removed', ...take('oldNumber'), segments, ...ending(line, endsDiffer)});
    }
    for (const [index, line] of added.entries()) {
      const segments = pairs[index]?.added ?? plain(line);
      lines.push({kind: 'added', ...take('newNumber'), segments, ...ending(line, endsDiffer)});
    }
  }
  return lines;
}

function plain(line: string): DiffSegment[] {
  return [{text: line.replace(/\r?\n$/, ''), changed: false}];
}

function ending(line: string, endsDiffer: boolean): {noNewlineAtEnd?: true} {
  return endsDiffer && !line.endsWith('\n') ? {noNewlineAtEnd: true} : {};
}

function hunksOf(lines: readonly DiffLine[], context: number): Hunk[] {
  const hunks: DiffLine[][] = [];
  let end = 0;
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'context') continue;
    const start = Math.max(end, index - context);
    const hunk = start > end || hunks.length === 0 ? [] : hunks.at(-1);
    if (hunk === undefined) continue;
    if (hunk.length === 0) hunks.push(hunk);
    const stop = Math.min(lines.length, index + context + 1);
    for (const shown of lines.slice(start, stop)) hunk.push(shown);
    end = Math.max(end, stop);
  }
  return hunks.map((lines) => ({lines}));
}

/** Lines in both texts, followed by lines in only one. */
interface Change {
  readonly same: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Maximum steps of a comparison, about a quarter of a second: lines times edits. */
const BUDGET = 10_000_000;
const MIN_EDITS = 200;

/** The lines of a text with their line ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Compares lines. If that would take too long, the differing part counts as replaced completely. */
function compareLines(
  before: readonly string[],
  after: readonly string[],
): {changes: Change[]; approximate: boolean} {
  const start = commonStart(before, after);
  const end = commonEnd(before.slice(start), after.slice(start));
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  const maxEditLength = Math.max(MIN_EDITS, Math.floor(BUDGET / (removed.length + added.length + 1)));
  const compared =
    removed.length > 0 && added.length > 0 ? diffArrays(removed, added, {maxEditLength}) : undefined;
  const approximate = compared === undefined && removed.length > 0 && added.length > 0;
  const middle = compared ? grouped(compared) : [{same: [], removed, added}];
  const changes = [{same: before.slice(0, start), removed: [], added: []}, ...middle];
  if (end > 0) changes.push({same: before.slice(before.length - end), removed: [], added: []});
  return {changes, approximate};
}

function grouped(parts: readonly {value: string[]; added: boolean; removed: boolean}[]): Change[] {
  const changes: {same: string[]; removed: string[]; added: string[]}[] = [];
  for (const {value, added, removed} of parts) {
    const last = changes.at(-1);
    if ((added || removed) && last) last[added ? 'added' : 'removed'].push(...value);
    else
      changes.push({
        same: [],
        removed: [],
        added: [],
        [added ? 'added' : removed ? 'removed' : 'same']: value,
      });
  }
  return changes;
}

function commonStart(before: readonly string[], after: readonly string[]): number {
  let length = 0;
  while (length < before.length && length < after.length && before[length] === after[length]) length++;
  return length;
}

function commonEnd(before: readonly string[], after: readonly string[]): number {
  let length = 0;
  while (length < before.length && length < after.length && before.at(-1 - length) === after.at(-1 - length))
    length++;
  return length;
}

interface MarkedPair {
  readonly removed: readonly DiffSegment[];
  readonly added: readonly DiffSegment[];
}

/** Longer lines are minified code or data, and comparing words would take long: only the common start and end are compared. */
const MAX_LINE = 2000;
const MAX_EDITS = 400;
/** With less in common, nearly everything would be marked. */
const MIN_COMMON = 0.3;

/** Marks the differences between a line and its replacement; undefined if they are unrelated. */
function markWords(before: string, after: string): MarkedPair | undefined {
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
  if (common < MIN_COMMON * Math.max(oldText.trim().length, newText.trim().length))
    return markEdges(oldText, newText);
  return {
    removed: phrases(
      changes.filter(({added}) => !added).map(({value, removed}) => ({text: value, changed: removed})),
    ),
    added: phrases(
      changes.filter(({removed}) => !removed).map(({value, added}) => ({text: value, changed: added})),
    ),
  };
}

/** Joins changed words with only blanks between them, so that a phrase is one mark; the same blanks at its end are unchanged instead. */
function phrases(segments: readonly DiffSegment[]): DiffSegment[] {
  const joined: DiffSegment[] = [];
  for (const segment of segments) {
    const [start, blank] = [joined.at(-2), joined.at(-1)];
    const isPhrase =
      segment.changed && blank?.changed === false && blank.text.trim() === '' && start?.changed;
    if (!isPhrase) {
      joined.push(segment);
      continue;
    }
    const text = start.text + blank.text + segment.text;
    const hasBlankEnd = segment.text.endsWith(blank.text);
    const words = hasBlankEnd ? text.slice(0, -blank.text.length) : text;
    joined.splice(-2, 2, {text: words, changed: true}, ...(hasBlankEnd ? [blank] : []));
  }
  return joined;
}

/** Marks differing indentation and trailing whitespace of two lines; undefined if they do not differ. */
function markEdges(before: string, after: string): MarkedPair | undefined {
  const [old, now] = [edgesOf(before), edgesOf(after)];
  const changed = [old.start !== now.start, false, old.end !== now.end];
  const marked = ({start, middle, end}: typeof old) =>
    [start, middle, end]
      .map((text, index) => ({text, changed: changed[index] === true}))
      .filter(({text}) => text !== '');
  return changed.includes(true) ? {removed: marked(old), added: marked(now)} : undefined;
}

function edgesOf(line: string): {readonly start: string; readonly middle: string; readonly end: string} {
  const rest = line.trimStart();
  const middle = rest.trimEnd();
  return {start: line.slice(0, line.length - rest.length), middle, end: rest.slice(middle.length)};
}

/** Marks everything between the common start and end of two lines. */
function markBetween(before: string, after: string): MarkedPair | undefined {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  if (start + end < MIN_COMMON * Math.max(before.length, after.length)) return undefined;
  // Does not split surrogate pairs.
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

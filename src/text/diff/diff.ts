import {diffWordsWithSpace} from 'diff';
import {compareLines, type LineChange} from './compare-lines.ts';

/** A part of a line; `changed` is true for the words that differ from the paired line. */
interface DiffSegment {
  readonly text: string;
  readonly changed: boolean;
}

export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  /** 1-based line numbers; a removed line has only the old one, an added line only the new one. */
  readonly oldNumber?: number | undefined;
  readonly newNumber?: number | undefined;
  /** The line without its end. */
  readonly text: string;
  /** The line in segments, of which some are its changed words. A carriage return is added as `␍` if it is the only difference. */
  readonly segments: readonly DiffSegment[];
  /** True for an added or removed last line without a line feed, if the other text has one. */
  readonly noNewlineAtEnd: boolean;
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
  /** True if the texts were too different to compare: a differing part is shown as replaced completely. */
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
  return {
    hunks: hunksOf(changes, {context, endsDiffer, words: !approximate, first}),
    stats: {added: count(changes, 'added'), removed: count(changes, 'removed')},
    newFile,
    approximate,
  };
}

/** Line numbers of a hunk's first line in both texts. */
interface LineNumbers {
  readonly oldNumber: number;
  readonly newNumber: number;
}

const PATCH_SIGNS: Readonly<Record<string, keyof LineChange>> = {' ': 'same', '-': 'removed', '+': 'added'};

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
  const [hunk = {lines: []}] = hunksOf(changes, {context: Infinity, endsDiffer: true, words: true, first});
  return hunk;
}

function count(changes: readonly LineChange[], kind: 'added' | 'removed'): number {
  return changes.reduce((sum, change) => sum + change[kind].length, 0);
}

function isChange({removed, added}: LineChange): boolean {
  return removed.length + added.length > 0;
}

interface HunkOptions {
  readonly context: number;
  /** True if one text has a line feed at its end and the other has none. */
  readonly endsDiffer: boolean;
  /** True if changed words are marked. */
  readonly words: boolean;
  readonly first: LineNumbers | undefined;
}

/** Returns the changes with the lines around them, in display order. */
function hunksOf(changes: readonly LineChange[], {context, endsDiffer, words, first}: HunkOptions): Hunk[] {
  const hunks: DiffLine[][] = [];
  const budget = {left: MAX_WORD_WORK};
  const next = {oldNumber: 0, newNumber: 0, ...first};
  const take = (name: keyof LineNumbers) => (first === undefined ? undefined : next[name]++);
  const push = (line: DiffLine) => hunks.at(-1)?.push(line);
  const pushContext = (line: string) =>
    push(new LazyLine('context', line, {oldNumber: take('oldNumber'), newNumber: take('newNumber')}));
  for (const change of changes) {
    const {same, removed, added} = change;
    const after = hunks.length === 0 ? 0 : Math.min(context, same.length);
    const before = isChange(change) ? Math.min(context, same.length - after) : 0;
    for (const line of same.slice(0, after)) pushContext(line);
    const skipped = same.length - after - before;
    next.oldNumber += skipped;
    next.newNumber += skipped;
    if (isChange(change) && (skipped > 0 || hunks.length === 0)) hunks.push([]);
    for (const line of same.slice(same.length - before)) pushContext(line);
    const pairs = words ? removed.slice(0, added.length).map(lazyPair(added, budget)) : [];
    for (const [index, line] of removed.entries())
      push(new LazyLine('removed', line, {oldNumber: take('oldNumber'), endsDiffer, pair: pairs[index]}));
    for (const [index, line] of added.entries())
      push(new LazyLine('added', line, {newNumber: take('newNumber'), endsDiffer, pair: pairs[index]}));
  }
  return hunks.map((lines) => ({lines}));
}

interface LineFacts extends Pick<DiffLine, 'oldNumber' | 'newNumber'> {
  readonly endsDiffer?: boolean;
  readonly pair?: (() => MarkedPair | undefined) | undefined;
}

/** A large change has many, so they are small, and their words are compared when they are shown. */
class LazyLine implements DiffLine {
  readonly kind: DiffLine['kind'];
  readonly text: string;
  readonly oldNumber: number | undefined;
  readonly newNumber: number | undefined;
  readonly noNewlineAtEnd: boolean;
  readonly #pair: LineFacts['pair'];

  constructor(kind: DiffLine['kind'], line: string, {oldNumber, newNumber, endsDiffer, pair}: LineFacts) {
    this.kind = kind;
    [this.text] = parts(line);
    this.oldNumber = oldNumber;
    this.newNumber = newNumber;
    this.noNewlineAtEnd = endsDiffer === true && !line.endsWith('\n');
    this.#pair = pair;
  }

  get segments(): readonly DiffSegment[] {
    const pair = this.kind === 'context' ? undefined : this.#pair?.()?.[this.kind];
    return pair ?? [{text: this.text, changed: false}];
  }
}

/** Compares the words of a pair of lines once they are shown: of many changed lines few are. */
function lazyPair(
  added: readonly string[],
  budget: {left: number},
): (line: string, index: number) => () => MarkedPair | undefined {
  return (line, index) => {
    const other = added[index] ?? '';
    budget.left -= (line.length + other.length) ** 2;
    const mark = budget.left > 0 ? markWords : markAround;
    let pair: {readonly marked: MarkedPair | undefined} | undefined;
    return () => (pair ??= {marked: mark(line, other)}).marked;
  };
}

/** The lines of a text with their line ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

interface MarkedPair {
  readonly removed: readonly DiffSegment[];
  readonly added: readonly DiffSegment[];
}

/** Longer lines are minified code or data, and comparing words would take long: only the common start and end are compared. */
const MAX_LINE = 2000;
const MAX_EDITS = 400;
/** The limit for comparing words in all lines of a change, in square units: of very many long lines, only the first ones are compared. */
const MAX_WORD_WORK = 100_000_000;
/** With less in common, nearly everything would be marked. */
const MIN_COMMON = 0.3;

/** Marks what differs between the common start and the common end of two lines. */
function markAround(before: string, after: string): MarkedPair | undefined {
  const [[oldText], [newText]] = [parts(before), parts(after)];
  return oldText === newText ? markWords(before, after) : markBetween(oldText, newText);
}

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
  const end = line.endsWith('\r\n') ? 2 : line.endsWith('\n') ? 1 : 0;
  return [line.slice(0, line.length - end), line.slice(line.length - end)];
}

function withEnd(text: string, end: string): DiffSegment[] {
  const line = {text, changed: false};
  return end.startsWith('\r') ? [line, {text: '␍', changed: true}] : [line];
}

/** A line, and the one that replaces it: the same if it is unchanged. */
export type LinePair = readonly [left: DiffLine | undefined, right: DiffLine | undefined];

/** Pairs each removed line with the added line that replaces it. */
export function pairLines(lines: readonly DiffLine[]): readonly LinePair[] {
  const found: LinePair[] = [];
  for (let at = 0; at < lines.length;) {
    const run = (kind: DiffLine['kind']) => {
      const from = at;
      while (lines[at]?.kind === kind) at++;
      return lines.slice(from, at);
    };
    for (const line of run('context')) found.push([line, line]);
    const removed = run('removed');
    const added = run('added');
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      found.push([removed[index], added[index]]);
  }
  return found;
}

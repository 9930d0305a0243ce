import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {PendingPermission} from '../../src/session/state.ts';
import {commandIn, isWords} from '../../src/session/words/command.ts';
import {quoteWords} from '../../src/text/quote-word.ts';
import type {DiffLine} from '../../src/text/diff/diff-lines.ts';
import {onOneLine} from '../../src/text/hidden.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {drawnOnce} from '../draw/drawn-once.ts';
import {barred, drawExact, markEscapes} from '../draw/exact.ts';
import {indent, inside} from '../draw/lines.ts';
import {shownLocation} from '../../src/text/shown-path.ts';
import {comparedDiff} from '../tool-call/contents/diff.ts';
import {drawHiddenNote} from './hidden-note.ts';
import {drawToolContent} from '../tool-call/contents/index.ts';

/** What will happen when the user says yes, in full: nothing is folded, cut or smoothed. */
export const drawRequest = drawnOnce(
  (request: PendingPermission, entry: ToolCallEntry | undefined, draw: Draw): readonly string[] => {
    const inner = inside(draw);
    const told = [...(entry === undefined ? [] : drawCall(entry, inner)), ...drawRaw(request, inner)];
    if (told.length === 0) return wrap('The agent does not tell what it wants to do.', draw.columns);
    return [...drawHiddenNote(request, draw), ...barred(told, draw)];
  },
);

function drawCall(entry: ToolCallEntry, draw: Draw): string[] {
  const {paint} = draw;
  const title = drawExact(entry.title, draw).map((line) => paint.bold(line));
  const where = entry.locations.flatMap((location) => drawExact(shownLocation(location, draw.cwd), draw));
  const contents = entry.content.flatMap((content) =>
    drawToolContent(content, {entry, extent: 'exact'}, draw),
  );
  const facts = factsOf(entry).flatMap(([name, value]) => drawFact(name, value, draw));
  return [...title, ...where.map((line) => paint.dim(line)), ...facts, ...contents];
}

/**
 * What the tool gets. Only what certainly stands on the screen already is left out: the rest of a call is the agent's own
 * words, and must not be able to hide a command.
 */
function factsOf({
  rawInput,
  title,
  locations,
  content,
}: ToolCallEntry): (readonly [name: string, value: string])[] {
  if (rawInput === undefined || rawInput === null) return [];
  const diffs = content.filter((item) => item.type === 'diff');
  const whole = new Set([title, ...locations.map(({path}) => path), ...diffs.map(({path}) => path)]);
  const drawn = diffs.map(drawnText);
  return inputFacts(rawInput).filter(
    ([name, value]) =>
      value !== '' && !whole.has(value) && !drawn.some((diff) => isInDiff({name, value}, diff)),
  );
}

/** The parts of an input; a command with its words is one part. */
function inputFacts(rawInput: {}): (readonly [name: string, value: string])[] {
  if (typeof rawInput !== 'object') return [['input', asText(rawInput)]];
  const command = commandIn(rawInput);
  const {command: line, args} = rawInput as Readonly<Record<string, unknown>>;
  const said = new Set(
    command === undefined ? [] : [line == null ? 'cmd' : 'command', isWords(args) ? 'args' : ''],
  );
  const rest = Object.entries(rawInput).filter(([name]) => !said.has(name));
  return [
    ...(command === undefined ? [] : [['command', command] as const]),
    ...rest.map(([name, value]) => [name, asText(value)] as const),
  ];
}

/** What a diff puts on the screen. */
interface DrawnText {
  readonly path: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly before: string;
  readonly after: string;
}

function drawnText(diff: acp.Diff): DrawnText {
  const lines = comparedDiff(diff).hunks.flatMap((hunk) => hunk.lines);
  const textOf = (...kinds: readonly DiffLine['kind'][]) =>
    lines
      .filter(({kind}) => kinds.includes(kind))
      .map(({segments}) => segments.map(({text}) => text).join(''));
  return {
    path: diff.path,
    removed: textOf('removed'),
    added: textOf('added'),
    before: textOf('removed', 'context').join('\n'),
    after: textOf('added', 'context').join('\n'),
  };
}

/** What tools call the parts of a change, and the whole of it. */
const DIFF_NAMES = /^(?:(?:old|new)\w*|(?:file_?)?(?:content|text)s?)$/i;
const PATCH_NAMES = /^(?:diff|patch)$/i;

function isInDiff({name, value}: {readonly name: string; readonly value: string}, diff: DrawnText): boolean {
  if (PATCH_NAMES.test(name)) return isPatchOf(value, diff);
  if (!DIFF_NAMES.test(name)) return false;
  const text = value.replaceAll('␍\n', '\n').replace(/\n$/, '');
  return diff.before.includes(text) || diff.after.includes(text);
}

/** True when a unified diff says nothing but this change. */
function isPatchOf(patch: string, {path, ...diff}: DrawnText): boolean {
  const heads = new Set([`Index: ${path}`, `--- ${path}`, `+++ ${path}`]);
  const lines = patch
    .split(/␍?\n/)
    .filter(
      (line) =>
        !heads.has(line.trimEnd()) &&
        !/^(?:=*|@@ -[\d,]+ \+[\d,]+ @@|\\ No newline at end of file)$/.test(line),
    );
  const those = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  return (
    lines.every((line) => /^[-+ ]/.test(line)) &&
    isEqual(those('+'), diff.added) &&
    isEqual(those('-'), diff.removed)
  );
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isWords(value) ? quoteWords(value) : (JSON.stringify(value, undefined, 2) ?? '');
}

function drawFact(name: string, value: string, draw: Draw): string[] {
  const {paint, columns} = draw;
  if (name === 'command') return drawExact(`$ ${value}`, draw);
  const label = onOneLine(name);
  const fits = !/[\n\t]/.test(value) && width(label) + width(value) + 2 <= columns;
  if (fits) return [`${paint.dim(`${markEscapes(label, draw)}:`)} ${markEscapes(value, draw)}`];
  return [
    ...drawExact(`${label}:`, draw).map((line) => paint.dim(line)),
    ...indent(drawExact(value, inside(draw))),
  ];
}

/** A request that had to be mended is shown as it came, since the user approves that and not our reading of it. */
function drawRaw({raw}: PendingPermission, draw: Draw): string[] {
  if (raw === undefined) return [];
  const {paint, columns} = draw;
  const note = 'The request was not as the protocol has it. As the agent sent it:';
  return [...wrap(note, columns).map((line) => paint.warning(line)), ...drawExact(raw, draw)];
}

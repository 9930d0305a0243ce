import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {PendingPermission} from '../../src/session/state.ts';
import {sanitize, sanitizeLine} from '../../src/text/sanitize.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Draw} from '../draw/draw.ts';
import {drawnOnce} from '../draw/drawn-once.ts';
import {indent, inside} from '../draw/lines.ts';
import {shownLocation} from '../../src/text/shown-path.ts';
import {drawToolContent} from '../tool-call/contents/index.ts';

/** What will happen when the user says yes, in full: nothing is folded or cut. */
export const drawRequest = drawnOnce(
  (request: PendingPermission, entry: ToolCallEntry | undefined, draw: Draw): readonly string[] => {
    const told = [...(entry === undefined ? [] : drawCall(entry, draw)), ...drawRaw(request, draw)];
    return told.length > 0 ? told : wrap('The agent does not tell what it wants to do.', draw.columns);
  },
);

function drawCall(entry: ToolCallEntry, draw: Draw): string[] {
  const {paint, columns} = draw;
  const title = wrap(entry.title, columns).map((line) => paint.bold(line));
  const where = entry.locations.flatMap((location) => wrap(shownLocation(location, draw.cwd), columns));
  const contents = entry.content.flatMap((content) =>
    drawToolContent(content, {entry, extent: 'whole'}, draw),
  );
  const facts = factsOf(entry).flatMap(([name, value]) => drawFact(name, value, draw));
  return [...title, ...where.map((line) => paint.dim(line)), ...facts, ...contents];
}

/**
 * What the tool gets. Only what certainly stands on the screen already is left out: the rest of a call is the agent's own
 * words, and must not be able to hide a command.
 */
function factsOf({rawInput, title, locations, content}: ToolCallEntry): [name: string, value: string][] {
  if (rawInput === undefined || rawInput === null) return [];
  const input = typeof rawInput === 'object' ? Object.entries(rawInput) : [['input', rawInput] as const];
  const diffs = content.filter((item) => item.type === 'diff');
  const whole = new Set([title, ...locations.map(({path}) => path), ...diffs.map(({path}) => path)]);
  const isInDiff = (name: string, value: string) =>
    diffs.some((diff) =>
      PATCH_NAMES.test(name)
        ? isPatchOf(value, diff)
        : DIFF_NAMES.test(name) && ((diff.oldText ?? '').includes(value) || diff.newText.includes(value)),
    );
  return input
    .map(([name, value]): [string, string] => [name, asText(value)])
    .filter(([name, value]) => value !== '' && !whole.has(value) && !isInDiff(name, value));
}

/** What tools call the parts of a change, and the whole of it. */
const DIFF_NAMES = /old|new|content|text/i;
const PATCH_NAMES = /^(?:diff|patch)$/i;

/** True when a unified diff says nothing but this change: each of its lines is one of the file, before or after. */
function isPatchOf(patch: string, {path, oldText, newText}: acp.Diff): boolean {
  const before = new Set((oldText ?? '').split(/\r?\n/));
  const after = new Set(newText.split(/\r?\n/));
  const heads = new Set([`Index: ${path}`, `--- ${path}`, `+++ ${path}`]);
  return patch.split(/\r?\n/).every((line) => {
    const text = line.slice(1);
    if (
      heads.has(line.trimEnd()) ||
      /^(?:=*|@@ -[\d,]+ \+[\d,]+ @@|\\ No newline at end of file)$/.test(line)
    )
      return true;
    if (line.startsWith('+')) return after.has(text);
    return (line.startsWith('-') || line.startsWith(' ')) && before.has(text);
  });
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(' ');
  return JSON.stringify(value, undefined, 2) ?? '';
}

function drawFact(name: string, value: string, draw: Draw): string[] {
  const {paint, columns} = draw;
  if (name === 'command' || name === 'cmd') return wrap(`$ ${value}`, columns);
  const label = sanitizeLine(name);
  const fits = !/[\n\t]/.test(value) && width(label) + width(value) + 2 <= columns;
  if (fits) return [`${paint.dim(`${label}:`)} ${value}`];
  return [
    ...wrap(`${label}:`, columns).map((line) => paint.dim(line)),
    ...indent(wrap(value, inside(draw).columns)),
  ];
}

/** A request that had to be mended is shown as it came, since the user approves that and not our reading of it. */
function drawRaw({raw}: PendingPermission, draw: Draw): string[] {
  if (raw === undefined) return [];
  const {paint, columns} = draw;
  const note = 'The request was not as the protocol has it. As the agent sent it:';
  return [...wrap(note, columns).map((line) => paint.warning(line)), ...wrap(sanitize(raw), columns)];
}

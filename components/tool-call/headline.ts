import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import {UNTITLED} from '../../src/session/tool-kinds.ts';
import {duration} from '../../src/text/format.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Draw} from '../draw/draw.ts';
import {shownLocation} from '../../src/text/shown-path.ts';

const kindWords: Readonly<Record<acp.ToolKind, string>> = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Search',
  execute: 'Run',
  think: 'Think',
  fetch: 'Fetch',
  switch_mode: 'Switch mode',
  other: '',
};

/** Verbs with which agents begin a title that needs no further word for its kind; compared without their last letter (write, writing). */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  Read: ['view', 'open', 'list', 'load'],
  Edit: ['write', 'create', 'update', 'change', 'modify', 'replace', 'insert', 'apply'],
  Delete: ['remove'],
  Move: ['rename'],
  Search: ['find', 'grep', 'look'],
  Run: ['execute'],
  Fetch: ['get', 'open', 'download', 'browse'],
  Think: ['plan'],
};

/** Shorter runs are not worth a number. */
const LEAST_DURATION_MS = 1000;

/** State, kind, title, where, the tool's own name, and how it ended, on one line. */
export function drawHeadline(entry: ToolCallEntry, draw: Draw): string {
  const {paint, columns} = draw;
  const title = titleWithKind(entry);
  const details = [...whereOf(entry, title, draw.cwd), ...nameOf(entry, title), ...endOf(entry, draw)];
  const tail = details.map((detail) => ` ${draw.signs.dot} ${detail}`).join('');
  // The title is what the user reads first: it keeps at least half of the line.
  const shownTitle = truncate(title, Math.max(columns - 2 - width(tail), Math.floor(columns / 2), 1));
  const shownTail = truncate(tail, Math.max(0, columns - 2 - width(shownTitle)));
  return `${drawState(entry, draw)} ${paint.bold(shownTitle)}${paint.dim(shownTail)}`;
}

/** The sign of a tool call's state, in its colour. */
export function drawState({status}: ToolCallEntry, {paint, signs}: Draw): string {
  switch (status) {
    case 'pending':
      return paint.dim(signs.pending);
    case 'in_progress':
      return paint.accent(signs.running);
    case 'completed':
      return paint.success(signs.done);
    case 'failed':
      return paint.error(signs.failed);
    case 'cancelled':
      return paint.warning(signs.cancelled);
  }
}

function titleWithKind({title, kind}: ToolCallEntry): string {
  const word = kindWords[kind] ?? '';
  const clean = sanitizeLine(title);
  if (title === UNTITLED && word !== '') return word;
  return word === '' || saysKind(clean, word) ? clean : `${word} ${clean}`;
}

/** True when the title begins with a verb of its own that says what the kind says: "Write notes.md", "Reading 3 files". */
function saysKind(title: string, word: string): boolean {
  const [first = ''] = title.toLowerCase().split(' ');
  return [word.toLowerCase(), ...(otherWords[word] ?? [])].some((verb) =>
    first.startsWith(verb.length > 3 ? verb.slice(0, -1) : verb),
  );
}

/** The places that the title does not name already. */
function whereOf({locations}: ToolCallEntry, title: string, cwd: string): string[] {
  const shown = locations
    .filter(
      ({path}) =>
        path !== '' && path !== cwd && !title.includes(path) && !title.includes(shownLocation({path}, cwd)),
    )
    .map((location) => sanitizeLine(shownLocation(location, cwd)));
  const [first, ...others] = new Set(shown);
  if (first === undefined) return [];
  return [others.length === 0 ? first : `${first} and ${others.length} more`];
}

function nameOf({name}: ToolCallEntry, title: string): string[] {
  return name === undefined || title.toLowerCase().includes(name.toLowerCase()) ? [] : [name];
}

function endOf({status, at, endedAt}: ToolCallEntry, _draw: Draw): string[] {
  const word = status === 'failed' || status === 'cancelled' ? [status] : [];
  const took = endedAt === undefined ? 0 : endedAt - at;
  return took < LEAST_DURATION_MS ? word : [...word, duration(took)];
}

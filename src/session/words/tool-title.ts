import type * as acp from '@agentclientprotocol/sdk/unstable';
import {duration, shownLocation} from '../../text/format.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {ToolCallEntry} from '../entries.ts';
import {UNTITLED} from '../tool-kinds.ts';
import {toolEnding} from './tool-ending.ts';

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

/** What a tool call is called: its title, behind a word for its kind where the title does not say it. One line. */
export function toolTitle({title, kind}: ToolCallEntry): string {
  const word = kindWords[kind] ?? '';
  const clean = sanitizeLine(title);
  if (title === UNTITLED && word !== '') return word;
  return word === '' || saysKind(clean, word) ? clean : `${word} ${clean}`;
}

/** Where a tool call works, as far as its title does not say so, the tool's own name, and how it ended. */
export function toolDetails(entry: ToolCallEntry, title: string, cwd: string): string[] {
  return [...whereOf(entry, title, cwd), ...nameOf(entry, title), ...endOf(entry)];
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

function endOf(entry: ToolCallEntry): string[] {
  const {at, endedAt, waitedMs = 0} = entry;
  const ending = toolEnding(entry);
  const word = ending === 'failed' || ending === 'cancelled' || ending === 'rejected' ? [ending] : [];
  const took = endedAt === undefined ? 0 : endedAt - at - waitedMs;
  return took < LEAST_DURATION_MS ? word : [...word, duration(took)];
}

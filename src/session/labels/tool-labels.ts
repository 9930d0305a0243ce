import type * as acp from '@agentclientprotocol/sdk/unstable';
import {holdsText} from '../../text/diff/occurrences.ts';
import {duration, pluralize, shownLocation, shownPath, wholeSeconds} from '../../text/format.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Entry, ToolCallEntry, ToolStatus} from '../entries.ts';
import {memoize} from '../memoize.ts';
import type {SessionState, TerminalState} from '../state.ts';
import {visibleText} from '../transcript/content.ts';
import {fileChangeOf} from '../transcript/diffs.ts';
import {isLookup, UNTITLED} from '../transcript/tool-kinds.ts';
import {beginsName, mentions} from './mentions.ts';
import {resultText, withoutFence} from './result-text.ts';

const kindLabels: Readonly<Record<acp.ToolKind, string>> = {
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

/** Verbs in agents' titles that make the kind redundant; compared without their last letter (write, writing). */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  Read: ['view', 'open', 'list', 'load'],
  Edit: ['write', 'create', 'update', 'change', 'modify', 'replace', 'insert', 'apply'],
  Delete: ['remove'],
  Move: ['rename'],
  Search: ['find', 'grep', 'look'],
  Run: ['execute'],
  Fetch: ['get', 'open', 'download', 'browse'],
  Think: ['plan'],
};

/** Shorter durations are not shown. */
const MIN_DURATION_MS = 1000;

/** Returns the title of a tool call, with its kind if the title does not imply it. One line. */
export function toolTitle({title, kind}: ToolCallEntry): string {
  const word = kindLabels[kind] ?? '';
  const clean = sanitizeLine(title);
  if (title === UNTITLED && word !== '') return word;
  return word === '' || saysKind(clean, word) ? clean : `${word} ${clean}`;
}

/** Returns the title with paths relative to the working folder. */
export function shortTitle(entry: ToolCallEntry, cwd: string): string {
  const title = toolTitle(entry);
  if (cwd === '' || cwd === '/') return title;
  const folder = `${cwd.replace(/\/$/, '')}/`;
  return title.replaceAll(folder, (_, at: number) => (beginsName(title.charAt(at - 1)) ? '' : folder));
}

/** Returns locations that the title does not mention, the tool's name, and how the call ended. */
export function toolDetails(entry: ToolCallEntry, title: string, cwd: string): string[] {
  return [...toolPlaces(entry, title, cwd), ...toolOutcome(entry)];
}

/** Returns locations that the title does not mention, and the tool's name. */
export function toolPlaces(entry: ToolCallEntry, title: string, cwd: string): string[] {
  return [...whereOf(entry, title, cwd), ...nameOf(entry, title)];
}

/** Splits the title of a tool call into its verb, or all of a title without one, and the rest. */
export function splitTitle(entry: ToolCallEntry, title: string): readonly [verb: string, rest: string] {
  const word = kindLabels[entry.kind] ?? '';
  const end = title.indexOf(' ');
  return word === '' || end === -1 ? [title, ''] : [title.slice(0, end), title.slice(end)];
}

/** True if the title begins with a verb that implies the kind: "Write notes.md", "Reading 3 files". */
function saysKind(title: string, word: string): boolean {
  const [first = ''] = title.toLowerCase().split(' ');
  return [word.toLowerCase(), ...(synonyms[word] ?? [])].some((verb) =>
    first.startsWith(verb.length > 3 ? verb.slice(0, -1) : verb),
  );
}

/** Returns the locations that the title does not contain. */
function whereOf({locations}: ToolCallEntry, title: string, cwd: string): string[] {
  const shown = locations
    .filter(
      ({path}) =>
        path !== '' && path !== cwd && !mentions(title, path) && !mentions(title, shownPath(path, cwd)),
    )
    .map((location) => sanitizeLine(shownLocation(location, cwd)));
  const [first, ...others] = new Set(shown);
  if (first === undefined) return [];
  return [others.length === 0 ? first : `${first} and ${others.length} more`];
}

function nameOf({name}: ToolCallEntry, title: string): string[] {
  if (name === undefined || holdsText(title.toLowerCase(), name.toLowerCase())) return [];
  // `write_file` says no more than "Write a.txt".
  const [verb] = name.toLowerCase().split(/[^a-z]/);
  return verb === title.toLowerCase().split(' ')[0] ? [] : [name];
}

/** Returns how the call ended, unless it completed normally, and how long it took. */
export function toolOutcome(entry: ToolCallEntry): string[] {
  const {at, endedAt, waitedMs = 0} = entry;
  const ending = toolEnding(entry);
  const word =
    ending === 'failed' || ending === 'cancelled' || ending === 'rejected' ? [stateLabel(entry)] : [];
  const took = endedAt === undefined ? 0 : endedAt - at - waitedMs;
  return took < MIN_DURATION_MS ? word : [...word, duration(took)];
}

/** Returns the ending of a call for display: agents report a denied call as failed, or not at all. */
export function toolEnding({
  status,
  permission,
}: Pick<ToolCallEntry, 'status' | 'permission'>): ToolStatus | 'rejected' {
  const isUndone = status !== 'completed' && status !== 'in_progress' && status !== 'paused';
  return isUndone && permission?.outcome === 'rejected' ? 'rejected' : status;
}

const STATES = {
  pending: 'pending',
  in_progress: 'running',
  paused: 'paused',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  rejected: 'rejected',
} as const;

/** Returns the word for the state of a call, the same wherever it is words. */
export function stateLabel(entry: Pick<ToolCallEntry, 'status' | 'permission'>): string {
  return STATES[toolEnding(entry)];
}

/** Says why a call could not write some files, if its sandbox refused that. */
export function refusedWritesLabel({
  refusedWrites = [],
}: Pick<ToolCallEntry, 'refusedWrites'>): string | undefined {
  return refusedWrites.length === 0
    ? undefined
    : `Outside the sandbox: ${refusedWrites.map(sanitizeLine).join(', ')}.`;
}

/** True for a call that is running, as far as it says. */
export function isRunningCall(entry: Entry): entry is ToolCallEntry {
  return entry.type === 'tool_call' && entry.status === 'in_progress';
}

/** Returns how long a running call takes by now, and how many lines its command has printed. */
export function runningFacts(
  entry: ToolCallEntry,
  terminals: SessionState['terminals'],
  now: number,
): string[] {
  if (!isRunningCall(entry)) return [];
  const took = now - entry.at - (entry.waitedMs ?? 0);
  const lines = entry.content.map((part) => {
    const terminal = part.type === 'terminal' ? terminals.get(part.terminalId) : undefined;
    return terminal === undefined ? 0 : printedLines(terminal);
  });
  const printed = lines.reduce((sum, count) => sum + count, 0);
  return [
    ...(took >= MIN_DURATION_MS ? [wholeSeconds(took)] : []),
    ...(printed > 0 ? [pluralize(printed, 'line')] : []),
  ];
}

const printedLines = memoize(({screen, output}: TerminalState): number =>
  screen === undefined
    ? output.trim().split('\n').filter(Boolean).length
    : screen.dropped + screen.rows.filter((row) => row.length > 0).length,
);

/** True for a call that changes one file, which stays where it is, named in its title: the diff needs no heading. */
export function isFileInTitle({title, content, kind}: ToolCallEntry, cwd: string): boolean {
  if (content.some((part) => fileChangeOf(part, kind)?.oldPath !== undefined)) return false;
  const paths = content.flatMap((part) => (part.type === 'diff' ? [part.path] : []));
  const [path, ...others] = paths;
  if (path === undefined || others.length > 0) return false;
  return mentions(title, path) || mentions(title, shownPath(path, cwd));
}

/** Returns the number of lines that a look has found; 0 for a single one, and for other calls. */
export const lookupLines = memoize((entry: ToolCallEntry): number => {
  if (!isLookup(entry.kind) || toolEnding(entry) !== 'completed') return 0;
  const texts = entry.content.flatMap((part) => (part.type === 'content' ? [part.content] : []));
  const text = withoutFence((texts.length === 0 ? resultText(entry) : visibleText(texts)).trim());
  const {length} = text.split('\n');
  return length > 1 ? length : 0;
});

/** Returns what a run of reads and searches was, "Read 3 files, searched twice", and the places that were read. */
export function lookupsLabel(calls: readonly ToolCallEntry[], cwd: string) {
  const reads = calls.filter(({kind}) => kind === 'read');
  const places = new Set(reads.flatMap(({locations}) => locations.map(({path}) => shownPath(path, cwd))));
  const [files, searches] = [places.size || reads.length, calls.length - reads.length];
  const read = reads.length > 0 ? [`Read ${files === 1 ? 'a file' : `${files} files`}`] : [];
  const times = searches === 1 ? 'once' : searches === 2 ? 'twice' : `${searches} times`;
  const searched = searches > 0 ? [`${reads.length > 0 ? 'searched' : 'Searched'} ${times}`] : [];
  return {label: [...read, ...searched].join(', '), places: [...places]};
}

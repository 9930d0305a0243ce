import type * as acp from '@agentclientprotocol/sdk/unstable';
import {duration, shownLocation, shownPath, withoutSpaces} from '../../text/format.ts';
import {mentions} from './mentions.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {quoteWords} from '../../text/shell-quote.ts';
import type {ToolCallEntry, ToolStatus} from '../entries.ts';
import {visibleText} from '../transcript/content.ts';
import {UNTITLED} from '../transcript/tool-kinds.ts';
import {commandIn, isStringList} from './command-label.ts';
import {isJsonObject} from '../../text/json.ts';
import {holdsText} from '../../text/diff/occurrences.ts';

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

/** A name and value from a tool's input. */
export type InputFact = readonly [name: string, value: string];

/** Returns the facts of an input; a command with its arguments is one fact. */
export function inputFacts(rawInput: unknown): readonly InputFact[] {
  if (rawInput === undefined || rawInput === null) return [];
  if (typeof rawInput !== 'object') return [['input', asText(rawInput)]];
  const command = commandIn(rawInput);
  const {command: line, args} = rawInput as Readonly<Record<string, unknown>>;
  const shown = new Set(
    command === undefined ? [] : [line == null ? 'cmd' : 'command', isStringList(args) ? 'args' : ''],
  );
  const rest = Object.entries(rawInput).filter(([name]) => !shown.has(name));
  return [
    ...(command === undefined ? [] : [['command', command] as const]),
    ...rest.map(([name, value]) => [name, asText(value)] as const),
  ];
}

/** Returns the input fields that title, locations, diffs and command do not show: arguments of an agent's own tools. */
export function extraInputFacts({
  kind,
  title,
  rawInput,
  locations,
  content,
}: ToolCallEntry): readonly InputFact[] {
  const isShown =
    kind === 'read' || kind === 'edit' ? locations.length + content.length > 0 : kind === 'execute';
  if (isShown || content.some(({type}) => type === 'diff')) return [];
  return inputFacts(rawInput).filter(
    ([, value]) => value !== '' && !mentions(title, value) && !locations.some(({path}) => path === value),
  );
}

/** The marks of steps in texts. */
const BOXES: Readonly<Record<string, string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
  cancelled: '[-]',
};

/** Returns a call whose lists of steps are text, one step per line: an agent's todos. For reading, not for approving. */
export function withReadableSteps(entry: ToolCallEntry): ToolCallEntry {
  const {rawInput} = entry;
  if (!isJsonObject(rawInput)) return entry;
  const fields = Object.entries(rawInput).map(([name, value]) => [name, stepsText(value) ?? value]);
  return {...entry, rawInput: Object.fromEntries(fields)};
}

function stepsText(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const lines = value.map((step: unknown) => {
    const {content, status} = isJsonObject(step) ? step : {};
    const box = typeof status === 'string' ? BOXES[status] : undefined;
    return typeof content === 'string' && box !== undefined ? `${box} ${content}` : undefined;
  });
  return lines.includes(undefined) ? undefined : lines.join('\n');
}

/** Returns the input of a call to read, one field per line. */
export function inputText(entry: ToolCallEntry): string {
  return extraInputFacts(withReadableSteps(entry))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isStringList(value) ? quoteWords(value) : (JSON.stringify(value, undefined, 2) ?? '');
}

/** Output fields with text: error messages first, then output. */
const TEXT_KEYS = [
  'error',
  'message',
  'output',
  'stdout',
  'stderr',
  'text',
  'content',
  'result',
  'formatted_output',
  'aggregated_output',
] as const;
/** Fields that complement each other; all others repeat the same text. */
const STREAMS: ReadonlySet<string> = new Set(['stdout', 'stderr']);
/** Fields with the output of a command. If they are there and empty, other fields are about the command, and no result. */
const OUTPUT_KEYS = ['stdout', 'stderr', 'formatted_output', 'aggregated_output'] as const;
/** Fields that only repeat the status. */
const STATUS_KEYS = /^(?:exit_?code|exit|success|ok|status|is_?error|duration\w*)$/i;

/** Returns a raw output as text: its text fields if it has any, its items one per line, or else its JSON. */
function rawText(raw: unknown): string {
  if (raw === undefined || raw === null) return '';
  return textIn(raw) ?? JSON.stringify(raw, undefined, 2);
}

/** Returns the result of a finished call from its raw output; '' if its content shows it, or if it only reports success. */
export function resultText({
  status,
  content,
  rawOutput,
}: Pick<ToolCallEntry, 'status' | 'content' | 'rawOutput'>): string {
  const isFailure = status === 'failed';
  if (!isFailure && status !== 'completed') return '';
  const shows = content.some((part) => {
    if (part.type === 'diff') return !isFailure;
    return (
      part.type === 'terminal' || part.content.type !== 'text' || visibleText([part.content]).trim() !== ''
    );
  });
  if (shows && isFailure) return reasonText(content, rawOutput);
  if (shows || (!isFailure && saysOnlyStatus(rawOutput))) return '';
  return rawText(rawOutput).trim();
}

/** Returns why a call failed that has content, which may be from before its end; '' if the content says it. */
function reasonText(content: ToolCallEntry['content'], rawOutput: unknown): string {
  const hasTerminal = content.some(({type}) => type === 'terminal');
  // Beside a command's output, the raw one is the same.
  const raw =
    hasTerminal && isJsonObject(rawOutput) ? (rawOutput['error'] ?? rawOutput['message']) : rawOutput;
  const reason = hasTerminal && !isJsonObject(rawOutput) ? '' : (textIn(raw)?.trim() ?? '');
  const said = content.flatMap((part) => (part.type === 'content' ? [visibleText([part.content])] : []));
  return holdsText(withoutSpaces(said.join('')), withoutSpaces(reason)) ? '' : reason;
}

/** Returns the text in a raw value; undefined if there is none. */
function textIn(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  if (Array.isArray(raw)) {
    const texts = raw.map(textIn);
    return texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join('\n') : undefined;
  }
  if (typeof raw !== 'object' || raw === null) return undefined;
  const record = raw as Readonly<Record<string, unknown>>;
  const found = TEXT_KEYS.flatMap((key) => {
    const text = textIn(record[key]);
    return text === undefined || text.trim() === '' ? [] : [{key, text}];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const both = STREAMS.has(first.key) ? found.filter(({key}) => STREAMS.has(key)) : [first];
  return both.map(({text}) => text.replace(/\n$/, '')).join('\n');
}

function saysOnlyStatus(raw: unknown): boolean {
  if (!isJsonObject(raw)) return typeof raw === 'boolean';
  const outputs = OUTPUT_KEYS.flatMap((key) => raw[key] ?? []);
  if (outputs.length > 0 && outputs.every((text) => text === '')) return true;
  return Object.entries(raw).every(
    ([key, value]) => value === null || value === '' || (STATUS_KEYS.test(key) && typeof value !== 'object'),
  );
}

const MIN_FENCE = 3;

/** Agents put file contents and output in code fences, which are redundant in a card. */
export function withoutFence(text: string): string {
  const [opening = ''] = /^(?:`{3,}|~{3,})/.exec(text) ?? [];
  const start = text.indexOf('\n') + 1;
  if (opening === '' || start === 0) return text;
  let end = text.length;
  while (end > start && text[end - 1] === opening[0] && text.length - end < opening.length) end--;
  if (text.length - end < MIN_FENCE) return text;
  while (end > start && text[end - 1] === '\n') end--;
  return text.slice(start, end);
}

/** Says why a call could not write some files, if its sandbox refused that. */
export function refusedWritesLabel({
  refusedWrites = [],
}: Pick<ToolCallEntry, 'refusedWrites'>): string | undefined {
  return refusedWrites.length === 0
    ? undefined
    : `Outside the sandbox: ${refusedWrites.map(sanitizeLine).join(', ')}.`;
}

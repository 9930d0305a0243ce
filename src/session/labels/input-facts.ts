import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {DiffLine} from '../../text/diff/diff.ts';
import {holdsText} from '../../text/diff/occurrences.ts';
import {shownPath} from '../../text/format.ts';
import {isJsonObject} from '../../text/json.ts';
import {quoteWords} from '../../text/shell-quote.ts';
import type {ToolCallEntry} from '../entries.ts';
import {memoize} from '../memoize.ts';
import {comparedDiff} from '../transcript/diffs.ts';
import {commandIn, isStringList} from './command-label.ts';
import {mentions} from './mentions.ts';
import {isText} from './shown-content.ts';

/** A name and value from a tool's input. */
export type InputFact = readonly [name: string, value: string];

/** Returns the facts of an input; a command with its arguments is one fact. */
function inputFacts(rawInput: unknown): readonly InputFact[] {
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

/** What else a request draws of a call. */
type ShownCall = ReturnType<typeof shownOf>;

function shownOf({rawInput, title, locations, content}: ToolCallEntry, cwd: string) {
  const diffs = content.filter((item) => item.type === 'diff');
  const [place, ...others] = new Set([...locations, ...diffs].map(({path}) => path));
  return {
    title,
    texts: content.filter(isText).map((part) => part.content.text.trim()),
    command: commandIn(rawInput),
    /** Its only file; undefined if it has several or none. */
    place: others.length === 0 ? place : undefined,
    /** The text that its diffs put on the screen: read only if a field of the input may be a part of it. */
    diffs: diffs.map((diff) => ({path: shownPath(diff.path, cwd), texts: () => textsOf(diff)})),
    cwd,
  };
}

/**
 * Returns the facts of the input. Only what is drawn elsewhere under its own name is left out: the rest of a call is claimed by the agent, and must not hide
 * anything.
 */
export function distinctInputFacts(entry: ToolCallEntry, cwd: string): readonly InputFact[] {
  const {rawInput} = entry;
  const call = shownOf(entry, cwd);
  const values = Object(rawInput) as Readonly<Record<string, unknown>>;
  return inputFacts(rawInput).filter(([name]) => name === 'command' || !isShown(name, values[name], call));
}

/** Fields that group other fields. */
const GROUPS = /^(?:file_?diffs?|edits|commands)$/i;

/** Input fields that are left out if their content is drawn elsewhere. */
const IS_SHOWN: readonly (readonly [RegExp, (value: string, call: ShownCall) => boolean])[] = [
  [/^(?:title|description)$/i, (value, {title, texts}) => value === title || texts.includes(value)],
  [/^(?:commands?|cmd|command_?line)$/i, (value, {command}) => value === command],
  [/^(?:abs(?:olute)?_?)?(?:file_?|notebook_?)?(?:path|name)$|^file$/i, (value, {place}) => value === place],
  [
    /^old_?(?:str(?:ing)?|text|content)$/i,
    (value, {diffs}) => diffs.some(({texts}) => holds(texts().before, value)),
  ],
  [
    /^(?:new_?(?:str(?:ing)?|text|content)|(?:file_?)?(?:content|text)s?)$/i,
    (value, {diffs}) => diffs.some(({texts}) => holds(texts().after, value)),
  ],
  [
    /^(?:diff|patch)$/i,
    (value, {diffs, cwd}) => diffs.some(({path, texts}) => isPatchOf(value, {path, ...texts()}, cwd)),
  ],
];

/** True if an input field is drawn under its own name, with all its items; the order of several items may matter. */
function isShown(name: string, value: unknown, call: ShownCall): boolean {
  if (typeof value === 'string')
    return IS_SHOWN.some(([names, matches]) => names.test(name) && matches(value, call));
  // The diff is the whole change, and this the default.
  if (value === false && /^replace_?all$/i.test(name)) return call.diffs.length > 0;
  if (typeof value !== 'object' || value === null)
    return call.diffs.length === 1 && call.diffs.every((diff) => isCount([name, value], diff));
  if (!GROUPS.test(name)) return false;
  if (Array.isArray(value)) return value.length === 1 && isShown(name, value[0], call);
  const parts: readonly (readonly [string, unknown])[] = Object.entries(value);
  return parts.length > 0 && parts.every(([part, each]) => isShown(part, each, call));
}

function holds(text: string, part: string): boolean {
  const shown = part.replaceAll('␍\n', '\n').replace(/\n$/, '');
  return shown === '' ? text === '' : holdsText(text, shown);
}

/** True for the size of a change, which is shown next to its path. */
function isCount([name, value]: readonly [string, unknown], {texts}: ShownCall['diffs'][number]): boolean {
  if (name === 'additions') return value === texts().added.length;
  return name === 'deletions' && value === texts().removed.length;
}

const textsOf = memoize((diff: acp.Diff) => {
  const lines = comparedDiff(diff).hunks.flatMap((hunk) => hunk.lines);
  const textOf = (...kinds: readonly DiffLine['kind'][]) =>
    lines
      .filter(({kind}) => kinds.includes(kind))
      .map(({segments}) => segments.map(({text}) => text).join(''));
  return {
    removed: textOf('removed'),
    added: textOf('added'),
    before: textOf('removed', 'context').join('\n'),
    after: textOf('added', 'context').join('\n'),
  };
});

/** A change as shown by its diff: the displayed path, and the lines. */
interface ShownChange {
  readonly path: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Lines of a unified diff that contain no change; modes other than that of a regular file are changes. */
const PLAIN =
  /^(?:=*|@@ -[\d,]+ \+[\d,]+ @@|\\ No newline at end of file|index [\da-f]+\.\.[\da-f]+(?: 100644)?|(?:new|create) file mode 100644|--- (?:a)?\/dev\/null)$/;
const HEAD = /^(?:Index:|---|\+\+\+) (.+)$/;
const GIT_HEAD = /^diff --git (a\/.+) (b\/.+)$/;

/** True if a unified diff contains exactly this change. */
function isPatchOf(patch: string, {path, removed, added}: ShownChange, cwd: string): boolean {
  const isHead = (line: string) => {
    const [, ...names] = HEAD.exec(line) ?? GIT_HEAD.exec(line) ?? [];
    return (
      names.length > 0 && names.every((name) => namesOf(name).some((one) => shownPath(one, cwd) === path))
    );
  };
  const lines = patch.split(/␍?\n/).filter((line) => !PLAIN.test(line) && !isHead(line.trimEnd()));
  const those = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  return (
    lines.every((line) => /^[-+ ]/.test(line)) && isEqual(those('+'), added) && isEqual(those('-'), removed)
  );
}

/** Returns the paths that a name in a patch may mean: git prepends `a/` or `b/`, some agents `a` to an absolute path. */
function namesOf(name: string): readonly string[] {
  return /^[ab]\//.test(name) ? [name, name.slice(1), name.slice(2)] : [name];
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

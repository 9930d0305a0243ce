import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import {commandIn, commandLabel, isStringList} from '../../src/session/labels/command-label.ts';
import {isText} from '../../src/session/labels/shown-content.ts';
import {inputFacts, extraInputFacts, type InputFact} from '../../src/session/labels/input-facts.ts';
import {memoize} from '../../src/session/memoize.ts';
import {withoutDetails} from '../../src/session/requests/run-input.ts';
import type {DiffLine} from '../../src/text/diff/diff.ts';
import {pluralize, shownPath} from '../../src/text/format.ts';
import {onOneLine} from '../../src/text/hidden.ts';
import {isJsonObject} from '../../src/text/json.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {markEscapes, rowsOfExact} from '../theme/exact-text.ts';
import type {Theme} from '../theme/theme.tsx';
import {indent, narrow} from '../layout/lines.ts';
import {rowsOfCommandLine} from './terminal-output.ts';
import {comparedDiff} from './diff.ts';
import {holdsText} from '../../src/text/diff/occurrences.ts';

/** Returns the rows of the input of a tool call in full. */
export function rowsOfInput(entry: ToolCallEntry, theme: Theme): string[] {
  return factsOf(entry, theme.cwd).flatMap((fact) => rowsOfFact(fact, theme));
}

/** Returns the rows of the input without what nobody decides by, which is named in one line. */
export function rowsOfInputToDecide(entry: ToolCallEntry, theme: Theme): string[] {
  const {rawInput, names, variables} = withoutDetails(entry);
  const drawn = new Set(factsOf(entry, theme.cwd).map(([name]) => name));
  const others = variables === 0 ? [] : [pluralize(variables, 'variable')];
  const folded = [...others, ...names.filter((name) => drawn.has(name))].join(', ');
  const more = `+ ${folded} · ${theme.keyOf('view_request')} view`;
  return [
    ...rowsOfInput({...entry, rawInput}, theme),
    ...(folded === '' ? [] : rowsOfExact(more, theme).map((line) => theme.paint.dim(line))),
  ];
}

/** Returns the rows of the input in a card: the command, or in one line what no other part of the call shows. */
export function rowsOfFoldedInput(entry: ToolCallEntry, theme: Theme): string[] {
  const command = commandLabel(entry, theme.terminals);
  if (command !== undefined) return rowsOfCommandLine(command, theme);
  const facts = extraInputFacts(entry);
  if (facts.length === 0) return [];
  const values = Object(entry.rawInput) as Readonly<Record<string, unknown>>;
  const line = facts.map(
    ([name, value]) => `${onOneLine(name)}: ${onOneLine(inOneLine(values[name]) ?? value)}`,
  );
  return [theme.paint.dim(markEscapes(truncate(line.join(' · '), theme.columns), theme))];
}

/** Returns what fits into one line of a value that is JSON: the number of items, or the fields. */
function inOneLine(value: unknown): string | undefined {
  if (isStringList(value)) return undefined;
  if (Array.isArray(value)) return pluralize(value.length, 'item');
  return isJsonObject(value) ? JSON.stringify(value) : undefined;
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
function factsOf(entry: ToolCallEntry, cwd: string): readonly InputFact[] {
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

function rowsOfFact([name, value]: InputFact, theme: Theme): string[] {
  const {paint, columns} = theme;
  if (name === 'command') return rowsOfExact(`$ ${value}`, theme).map((line) => paint.bold(line));
  const label = onOneLine(name);
  const fits = !/[\n\t]/.test(value) && width(label) + width(value) + 2 <= columns;
  if (fits) return [`${paint.dim(`${markEscapes(label, theme)}:`)} ${markEscapes(value, theme)}`];
  return [
    ...rowsOfExact(`${label}:`, theme).map((line) => paint.dim(line)),
    ...indent(rowsOfExact(value, narrow(theme))),
  ];
}

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

import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import {commandIn, commandLabel, isStringList} from '../../src/session/labels/command-label.ts';
import {isText, shownContent} from '../../src/session/labels/shown-content.ts';
import {decisionLabel} from '../../src/session/labels/labels.ts';
import {
  inputFacts,
  extraInputFacts,
  type InputFact,
  resultText,
  refusedWritesLabel,
  withReadableSteps,
} from '../../src/session/labels/tool-labels.ts';
import {isAskedByForm, type Question, questionsOf} from '../../src/session/requests/user-questions.ts';
import {memoize} from '../../src/session/memoize.ts';
import {isFinished} from '../../src/session/transcript/tool-calls.ts';
import {withoutDetails} from '../../src/session/requests/run-input.ts';
import type {DiffLine} from '../../src/text/diff/diff.ts';
import {pluralize, shownPath} from '../../src/text/format.ts';
import {onOneLine} from '../../src/text/hidden.ts';
import {isJsonObject} from '../../src/text/json.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {markEscapes, rowsOfExact} from '../theme/exact-text.ts';
import type {Theme} from '../theme/theme.tsx';
import {indent, narrow} from '../layout/lines.ts';
import {rowsOfToolContent, rowsOfCommandLine, rowsOfContentItem} from './contents.ts';
import {comparedDiff} from './diff.ts';
import {rowsOfHeadline, hiddenLines, isFileInTitle} from './headline.ts';
import {isPatchOf, type ShownChange} from './patch-of-change.ts';

/** Returns the rows of a tool call as a card: a headline, then what matters for its kind. */
export function rowsOfToolCall(entry: ToolCallEntry, theme: Theme): string[] {
  const inner = narrow(theme);
  const questions = questionsOf(entry);
  const input =
    theme.extent === 'folded'
      ? rowsOfFoldedInput(entry, inner)
      : rowsOfInput(withReadableSteps(entry), inner);
  const details = [...input, ...rowsOfContents(entry, inner), ...rowsOfResult(entry, inner)];
  return [
    ...rowsOfHeadline(entry, theme),
    ...indent([
      ...rowsOfDecision(entry, inner),
      ...(questions.length === 0 ? details : rowsOfQuestions(questions, entry, inner)),
      ...rowsOfRefusedWrites(entry, inner),
    ]),
  ];
}

/** Returns the rows of a call that only asks the user: its questions with their choices and the result, unless a form has asked them. */
function rowsOfQuestions(questions: readonly Question[], entry: ToolCallEntry, theme: Theme): string[] {
  if (isAskedByForm(entry)) return [];
  const questionLines = questions.flatMap(({question, options}) => [
    ...rowsOfExact(question, theme),
    ...options.flatMap(({label}) => rowsOfExact(`- ${label}`, theme)).map((line) => theme.paint.dim(line)),
  ]);
  const result = isFinished(entry.status)
    ? [...rowsOfContents(entry, theme), ...rowsOfResult(entry, theme)]
    : [];
  return [...questionLines, ...result];
}

/** Returns the rows of the permission decision, if it is worth a line. */
function rowsOfDecision({permission}: ToolCallEntry, {paint, columns}: Theme): string[] {
  const words = decisionLabel(permission);
  return words === undefined ? [] : [paint.dim(truncate(words, columns))];
}

/** Returns the rows of why it could not write some files, if it is known that the sandbox refused it. */
function rowsOfRefusedWrites(entry: ToolCallEntry, {paint, columns}: Theme): string[] {
  const label = refusedWritesLabel(entry);
  if (label === undefined) return [];
  return wrap(`${label} /sandbox shows what is allowed.`, columns).map((line) => paint.warning(line));
}

function rowsOfContents(entry: ToolCallEntry, theme: Theme): string[] {
  const changes = entry.content.filter(({type}) => type === 'diff').length;
  const context = {entry, extent: theme.extent, isNamed: isFileInTitle(entry, theme.cwd), changes};
  const hidesText = hiddenLines(entry, theme) > 0;
  const shown = shownContent(entry, theme.terminals).filter((part) => !isText(part) || !hidesText);
  return shown.flatMap((content) => rowsOfToolContent(content, context, theme));
}

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
  const more = `+ ${folded} ${theme.symbols.dot} ${theme.keyOf('view_request')} view`;
  return [
    ...rowsOfInput({...entry, rawInput}, theme),
    ...(folded === '' ? [] : rowsOfExact(more, theme).map((line) => theme.paint.dim(line))),
  ];
}

/** Returns the rows of the input in a card: the command, or in one line what no other part of the call shows. */
function rowsOfFoldedInput(entry: ToolCallEntry, theme: Theme): string[] {
  const command = commandLabel(entry, theme.terminals);
  if (command !== undefined) return rowsOfCommandLine(command, 'folded', theme);
  const facts = extraInputFacts(entry);
  if (facts.length === 0) return [];
  const values = Object(entry.rawInput) as Readonly<Record<string, unknown>>;
  const line = facts.map(
    ([name, value]) => `${onOneLine(name)}: ${onOneLine(inOneLine(values[name]) ?? value)}`,
  );
  return [theme.paint.dim(markEscapes(truncate(line.join(` ${theme.symbols.dot} `), theme.columns), theme))];
}

/** Returns what fits into one line of a value that is JSON: the number of items, or the fields. */
function inOneLine(value: unknown): string | undefined {
  if (isStringList(value)) return undefined;
  if (Array.isArray(value)) return pluralize(value.length, 'item');
  return isJsonObject(value) ? JSON.stringify(value) : undefined;
}

/** What else a request draws of a call, by the names of `IS_DRAWN`. */
interface ShownCall {
  readonly title: string;
  readonly texts: readonly string[];
  readonly command: string | undefined;
  /** Its only file; undefined if it has several or none. */
  readonly place: string | undefined;
  readonly diffs: readonly DiffText[];
  readonly cwd: string;
}

/**
 * Returns the facts of the input. Only what is drawn elsewhere under its own name is left out: the rest of a call is claimed by the agent, and must not hide
 * anything.
 */
function factsOf({rawInput, title, locations, content}: ToolCallEntry, cwd: string): readonly InputFact[] {
  const diffs = content.filter((item) => item.type === 'diff');
  const [place, ...others] = new Set([...locations, ...diffs].map(({path}) => path));
  const call: ShownCall = {
    title,
    texts: content.filter(isText).map((part) => part.content.text.trim()),
    command: commandIn(rawInput),
    place: others.length === 0 ? place : undefined,
    diffs: diffs.map((diff) => ({path: shownPath(diff.path, cwd), texts: () => textsOf(diff)})),
    cwd,
  };
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
  return shown === '' ? text === '' : text.includes(shown);
}

/** True for the size of a change, which is shown next to its path. */
function isCount([name, value]: readonly [string, unknown], {texts}: DiffText): boolean {
  if (name === 'additions') return value === texts().added.length;
  return name === 'deletions' && value === texts().removed.length;
}

/** A change, and the text that its diff puts on the screen: read only if a field of the input may be a part of it. */
interface DiffText {
  readonly path: string;
  readonly texts: () => TextOfDiff;
}

interface TextOfDiff extends Omit<ShownChange, 'path'> {
  readonly before: string;
  readonly after: string;
}

const textsOf = memoize((diff: acp.Diff): TextOfDiff => {
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

/** Returns the rows of the result of a call that reports it only in its raw output. */
export function rowsOfResult(entry: ToolCallEntry, theme: Theme): string[] {
  const text = resultText(entry);
  if (text === '' || hiddenLines(entry, theme) > 0) return [];
  return rowsOfContentItem({content: {type: 'text', text}}, {entry, extent: theme.extent}, theme);
}

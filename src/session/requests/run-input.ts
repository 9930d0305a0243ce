import {occurrences} from '../../text/diff/occurrences.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import type {ToolCallEntry} from '../entries.ts';
import {isStringList} from '../labels/command-label.ts';
import {memoize} from '../memoize.ts';
import {holdsCommand, isPathLike, type ReportedCommand} from './command-fields.ts';
import {changingVariables, variablesOf, type Variable} from './variables.ts';

/** What the input of a tool call says that will run. */
interface RunInput {
  /** A line for a shell, or the words of a program; some agents send program and arguments separately. */
  readonly command: ReportedCommand;
  /** The folder, as the agent names it; undefined if it names none. */
  readonly folder: string | undefined;
  readonly variables: readonly Variable[];
  /** False if other fields may be a part of it: more arguments, its input, another folder, a promise not to do it. */
  readonly isWhole: boolean;
  /** The names of fields that nobody decides by: numbers of the call, and the same command in other words. */
  readonly details: ReadonlySet<string>;
  /** The other fields. */
  readonly beside: JsonObject;
}

const COMMAND = /^(?:command|cmd|args)$/;
const FOLDER = /^(?:cwd|work_?dir|working_?dir(?:ectory)?)$/i;
const ENVIRONMENT = /^env(?:ironment)?(?:_?var(?:iable)?s)?$/i;
/** Fields with prose about the command. */
const PROSE =
  /^(?:description|explanation|justification|title|summary|intent|purpose|(?:risk_?level_?)?reason(?:ing)?)$/i;
const NUMBERS =
  /^(?:(?:call|turn|tool_?call|approval|process|item|request)_?id|(?:started|completed|created)_?at(?:_?ms)?)$/i;
/** The command as the agent has parsed it. */
const PARSED =
  /^(?:parsed_?(?:cmd|commands?)|commands?|command_?(?:line|actions)|(?:proposed_?)?exec_?policy_?amendment)$/i;
/** What the agent can do with the answer. */
const DECISIONS = /^available_?decisions$/i;
/** Words in the names of fields that may be a part of a command, or change what it means. */
const PARTS =
  /arg|flag|option|opts|param|input|std(?:in|out|err)|pipe|dir|folder|cwd|path|file|root|env|variables?|shell|cmd|command|script|exec|program|binary|interpreter|user|host|machine|server|remote|container|image|target|sandbox|dry|simul|preview/i;

/** Returns what an input says that will run; undefined if it names no command, or one whose words cannot be told. */
export function runInput(rawInput: unknown): RunInput | undefined {
  return isJsonObject(rawInput) ? readInput(rawInput) : undefined;
}

const readInput = memoize((rawInput: JsonObject): RunInput | undefined => {
  const command = commandOf(rawInput);
  if (command === undefined) return undefined;
  const fields = Object.entries(rawInput).filter(([name]) => !COMMAND.test(name));
  const folders = new Set(valuesOf(fields, FOLDER));
  const environments = valuesOf(fields, ENVIRONMENT).map((value) => variablesOf(value));
  const [folder] = folders;
  const details = new Set(fields.filter((field) => isDetail(field, command)).map(([name]) => name));
  const others = fields.filter(
    ([name]) => !FOLDER.test(name) && !ENVIRONMENT.test(name) && !details.has(name),
  );
  return {
    command,
    folder: typeof folder === 'string' ? folder : undefined,
    variables: environments.flatMap((variables) => variables ?? []),
    isWhole:
      (rawInput['command'] === undefined || rawInput['cmd'] === undefined) &&
      folders.size <= 1 &&
      (folder === undefined || typeof folder === 'string') &&
      !environments.includes(undefined) &&
      !others.some(mayBePart),
    details,
    beside: Object.fromEntries([...others, ...secondCommand(rawInput)]),
  };
});

/** The whole content of a file that will be written. */
interface WriteInput {
  /** As the agent names it. */
  readonly path: string;
  readonly content: string;
}

const PATH = /^(?:abs(?:olute)?_?)?(?:file_?)?path$/i;
const CONTENT = /^(?:file_?)?contents?$/i;

/** Returns what an input says that will be written; undefined if that is no file with its whole content, or if another field may mean another write. */
export function writeInput(rawInput: unknown): WriteInput | undefined {
  if (!isJsonObject(rawInput)) return undefined;
  const fields = Object.entries(rawInput);
  const others = fields.filter(([name]) => !PATH.test(name) && !CONTENT.test(name));
  const [[path, ...morePaths], [content, ...moreContents]] = [
    fields.flatMap(([name, value]) => (PATH.test(name) ? [value] : [])),
    fields.flatMap(([name, value]) => (CONTENT.test(name) ? [value] : [])),
  ];
  if (typeof path !== 'string' || path === '' || typeof content !== 'string') return undefined;
  const isAlone = morePaths.length + moreContents.length === 0 && others.every(isAsideOfWrite);
  return isAlone ? {path, content} : undefined;
}

/** Anything unknown may be a place in the file, another way to write, or a promise not to do it. */
function isAsideOfWrite([name, value]: readonly [string, unknown]): boolean {
  if (value === null || isNumber(name, value)) return true;
  if (PROSE.test(name)) return typeof value === 'string';
  return name === 'mode' && value === 'overwrite';
}

/** The variables of an input that may change its command. Those in a form that cannot be read are named by their field. */
export function changesOf(rawInput: unknown): readonly string[] {
  if (!isJsonObject(rawInput)) return [];
  const environments = Object.entries(rawInput).filter(([name]) => ENVIRONMENT.test(name));
  return environments.flatMap(([field, value]) => {
    const variables = variablesOf(value ?? null);
    if (variables === undefined) return [field];
    return changingVariables(variables, commandOf(rawInput) ?? '').map(({name}) => name);
  });
}

/** A call without what nobody decides by. */
interface WithoutDetails {
  readonly rawInput: unknown;
  /** The names of the details. */
  readonly names: readonly string[];
  /** The number of variables that were left out. */
  readonly variables: number;
}

/**
 * Returns the input of a call without details, and without variables that change nothing. Only if something else says what will happen, a command or a diff:
 * in the input of any other tool, every field may be what it is about.
 */
export function withoutDetails({
  rawInput,
  content,
}: Pick<ToolCallEntry, 'rawInput' | 'content'>): WithoutDetails {
  if (!isJsonObject(rawInput)) return {rawInput, names: [], variables: 0};
  const input = runInput(rawInput);
  const isChange = !holdsCommand({rawInput, content}) && content.some(({type}) => type === 'diff');
  const kept: Record<string, unknown> = {};
  const names: string[] = [];
  let variables = 0;
  for (const [name, value] of Object.entries(rawInput)) {
    const given = input && ENVIRONMENT.test(name) ? variablesOf(value ?? null) : undefined;
    const changing = given && changingVariables(given, input?.command ?? '');
    variables += (given?.length ?? 0) - (changing?.length ?? 0);
    if (input?.details.has(name) || (isChange && isNumber(name, value))) names.push(name);
    else if (!changing || changing.length === given?.length) kept[name] = value;
    else if (changing.length > 0) kept[name] = variablesAs(value, changing);
  }
  return {rawInput: kept, names, variables};
}

/** Returns variables in the form in which they were given. */
function variablesAs(given: unknown, variables: readonly Variable[]): unknown {
  return Array.isArray(given)
    ? variables
    : Object.fromEntries(variables.map(({name, value}) => [name, value]));
}

function isNumber(name: string, value: unknown): boolean {
  return NUMBERS.test(name) && /^[\w:.-]{1,100}$/.test(String(value));
}

function commandOf({command, cmd, args}: JsonObject): ReportedCommand | undefined {
  const line = command ?? cmd;
  if (typeof line !== 'string' && !isStringList(line)) return undefined;
  if (args === undefined || args === null) return line;
  return isStringList(args) ? [line, args].flat() : undefined;
}

/** Which of the two an agent runs is unknown. */
function secondCommand({command, cmd}: JsonObject): readonly (readonly [string, unknown])[] {
  return (command ?? undefined) === undefined ? [] : [['cmd', cmd]];
}

/** Null counts as absent. */
function valuesOf(fields: readonly (readonly [string, unknown])[], names: RegExp): readonly unknown[] {
  return fields.flatMap(([name, value]) => (names.test(name) && value !== null ? [value] : []));
}

function isDetail([name, value]: readonly [string, unknown], command: ReportedCommand): boolean {
  if (isNumber(name, value)) return true;
  const isSaid = (text: string) => endsWords(text, [command].flat().join(' '));
  if (DECISIONS.test(name)) return textsIn(value).every((text) => isWord(text) || isSaid(text));
  return PARSED.test(name) && textsIn(value).every(isSaid);
}

/** True if a command contains this text up to the end of a word: "rm a" is no part of "rm ab". */
function endsWords(text: string, command: string): boolean {
  const ends = occurrences(text, command, 20).map((at) => at + text.length);
  return text === '' || ends.some((end) => /^[\s'"`;|&()<>]?$/.test(command.charAt(end)));
}

function isWord(text: unknown): boolean {
  return typeof text === 'string' && /^[\w-]{1,40}$/.test(text);
}

/** Returns all texts in a value, except keys and types. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.entries(value).filter(([name, part]) => name !== 'type' || !isWord(part));
  return parts.flatMap(([, part]) => textsIn(part));
}

/** In doubt, an unknown field is a part of the command if it holds several values or a path, or is named like one. */
function mayBePart([name, value]: readonly [string, unknown]): boolean {
  if (value === null || value === undefined || value === false || value === '') return false;
  if (!/^[\w-]+$/.test(name) || Array.isArray(value)) return true;
  if (PROSE.test(name) && typeof value === 'string') return false;
  if (PARTS.test(name)) return true;
  if (typeof value === 'object') return Object.entries(value).some(mayBePart);
  return typeof value === 'string' && isPathLike(value);
}

import {isFields, type Fields} from '../../text/json.ts';
import {isStringList} from '../labels/command-label.ts';
import {memoize} from '../memoize.ts';
import {isPathLike, type ReportedCommand} from './command-fields.ts';
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
  readonly beside: Fields;
}

const COMMAND = /^(?:command|cmd|args)$/;
const FOLDER = /^(?:cwd|work_?dir|working_?dir(?:ectory)?)$/i;
const ENVIRONMENT = /^env(?:ironment)?(?:_?var(?:iable)?s)?$/i;
/** Fields with prose about the command. */
const PROSE =
  /^(?:description|explanation|justification|title|summary|intent|purpose|(?:risk_?level_?)?reason(?:ing)?)$/i;
const NUMBERS =
  /^(?:(?:call|turn|tool_?call|approval|process|item|request)_?id|(?:started|completed|created)_?at(?:_?ms)?)$/i;
/** The command as the agent has parsed it, and what it does with the answer. */
const PARSED =
  /^(?:parsed_?(?:cmd|commands?)|commands?|command_?(?:line|actions)|available_?decisions|(?:proposed_?)?exec_?policy_?amendment)$/i;
/** Words in the names of fields that may be a part of a command, or change what it means. */
const PARTS =
  /arg|flag|option|opts|param|input|std(?:in|out|err)|pipe|dir|folder|cwd|path|file|root|env|variables?|shell|cmd|command|script|exec|program|binary|interpreter|user|host|machine|server|remote|container|image|target|sandbox|dry|simul|preview/i;

/** Returns what an input says that will run; undefined if it names no command, or one whose words cannot be told. */
export function runInput(rawInput: unknown): RunInput | undefined {
  return isFields(rawInput) ? readInput(rawInput) : undefined;
}

const readInput = memoize((rawInput: Fields): RunInput | undefined => {
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
    beside: Object.fromEntries(others),
  };
});

/** The variables of an input that may change its command. Those in a form that cannot be read are named by their field. */
export function changesOf(rawInput: unknown): readonly string[] {
  if (!isFields(rawInput)) return [];
  const environments = Object.entries(rawInput).filter(([name]) => ENVIRONMENT.test(name));
  return environments.flatMap(([field, value]) => {
    const variables = variablesOf(value ?? null);
    if (variables === undefined) return [field];
    return changingVariables(variables, commandOf(rawInput) ?? '').map(({name}) => name);
  });
}

function commandOf({command, cmd, args}: Fields): ReportedCommand | undefined {
  const line = command ?? cmd;
  if (typeof line !== 'string' && !isStringList(line)) return undefined;
  if (args === undefined || args === null) return line;
  return isStringList(args) ? [line, args].flat() : undefined;
}

/** Null counts as absent. */
function valuesOf(fields: readonly (readonly [string, unknown])[], names: RegExp): readonly unknown[] {
  return fields.flatMap(([name, value]) => (names.test(name) && value !== null ? [value] : []));
}

function isDetail([name, value]: readonly [string, unknown], command: ReportedCommand): boolean {
  if (NUMBERS.test(name)) return /^[\w:.-]{1,100}$/.test(String(value));
  return PARSED.test(name) && textsIn(value).every((text) => isIn(text, command));
}

/** True if a text is in the command, or only a short name. */
function isIn(text: string, command: ReportedCommand): boolean {
  return /^[\w-]{1,40}$/.test(text) || [command].flat().join(' ').includes(text);
}

/** All texts in a value: keys are not among them. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
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

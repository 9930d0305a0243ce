import {isJsonObject} from '../../text/json.ts';
import {quoteWords} from '../../text/shell-quote.ts';
import type {ToolCallEntry} from '../entries.ts';
import {commandIn, isStringList} from './command-label.ts';
import {mentions} from './mentions.ts';

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

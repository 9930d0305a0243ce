import {quoteWords} from '../../text/shell-quote.ts';
import type {ToolCallEntry} from '../entries.ts';
import {commandIn, isWords} from './command.ts';

/** A part of what a tool gets. */
export type InputFact = readonly [name: string, value: string];

/** The parts of an input; a command with its words is one part. */
export function inputFacts(rawInput: unknown): readonly InputFact[] {
  if (rawInput === undefined || rawInput === null) return [];
  if (typeof rawInput !== 'object') return [['input', asText(rawInput)]];
  const command = commandIn(rawInput);
  const {command: line, args} = rawInput as Readonly<Record<string, unknown>>;
  const said = new Set(
    command === undefined ? [] : [line == null ? 'cmd' : 'command', isWords(args) ? 'args' : ''],
  );
  const rest = Object.entries(rawInput).filter(([name]) => !said.has(name));
  return [
    ...(command === undefined ? [] : [['command', command] as const]),
    ...rest.map(([name, value]) => [name, asText(value)] as const),
  ];
}

/** What of a call's input neither its title nor its places, changes or command say: the arguments of an agent's own tools. */
export function tellingFacts({
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
    ([, value]) => !title.includes(value) && !locations.some(({path}) => path === value),
  );
}

/** The same, a line each. */
export function inputText(entry: ToolCallEntry): string {
  return tellingFacts(entry)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isWords(value) ? quoteWords(value) : (JSON.stringify(value, undefined, 2) ?? '');
}

import {isAbsolute, resolve} from 'node:path';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHarmless} from './command-forms.ts';
import {commandsIn, type ToldCommand} from '../session/command-fields.ts';
import {isWords} from '../session/words/command.ts';
import type {Roots} from './roots.ts';
import type {SubjectPath} from './rules/subject.ts';
import type {KnownToolCall} from './services.ts';
import {toldPaths} from './told-paths.ts';

/** What a permission request is about, taken together from the request and from what was told of its tool call before. */
export interface ToolCallFacts {
  readonly kind: acp.ToolKind;
  readonly title: string;
  /** The tool's own name, where it is told. */
  readonly tool: string | undefined;
  /** The diff and location paths as they were named, made absolute, and where they lead. */
  readonly named: readonly SubjectPath[];
  /** What its input and the links in its content name otherwise. */
  readonly alsoNamed: readonly SubjectPath[];
  /** Whether everything that it names lies inside the roots. */
  readonly insideRoots: boolean;
  /** Whether there is a command in it, however it calls itself. */
  readonly hasCommand: boolean;
  /** What `rawInput` says will be run: a line or its words; undefined when it does not. */
  readonly run: string | readonly string[] | undefined;
  /** What else it says will be run, in whatever field. */
  readonly alsoRun: readonly ToldCommand[];
  /** The variables of its input that may make another command of it. */
  readonly changedBy: string | undefined;
  /** The folder that `rawInput` names for it, absolute. */
  readonly cwd: string | undefined;
}

/** A tool call as a request for it shows it. */
export type AskedCall = KnownToolCall;

/** What is told of a call, laid over what was known of it: what is omitted or null stays ("Tool Calls"). */
export function laidOver(told: KnownToolCall, known: KnownToolCall | undefined): AskedCall {
  return {
    name: told.name ?? known?.name,
    title: told.title ?? known?.title ?? null,
    kind: told.kind ?? known?.kind ?? null,
    content: told.content ?? known?.content ?? null,
    locations: told.locations ?? known?.locations ?? null,
    rawInput: told.rawInput ?? known?.rawInput,
  };
}

export async function toolCallFacts(call: AskedCall, roots: Roots): Promise<ToolCallFacts> {
  const told = toldPaths(call);
  const named = await placesOf(told.paths, roots);
  const alsoNamed = await placesOf(told.alsoNamed, roots);
  const input = asRecord(call.rawInput);
  const run = commandOf(input);
  return {
    kind: call.kind ?? 'other',
    title: call.title ?? '',
    tool: call.name ?? undefined,
    named,
    alsoNamed,
    insideRoots: [...named, ...alsoNamed].every(({real}) => real !== undefined),
    hasCommand: told.hasCommand,
    run,
    alsoRun: commandsIn(call.rawInput).commands.filter(
      (command) => command !== input.command || run === undefined,
    ),
    changedBy: changesOf(input),
    cwd: typeof input.cwd === 'string' ? resolve(roots.cwd, input.cwd) : undefined,
  };
}

function placesOf(paths: readonly string[], roots: Roots): Promise<readonly SubjectPath[]> {
  return Promise.all(
    paths.map(async (path) => {
      const place = await roots.confine(absolute(path, roots));
      return {named: resolve(roots.cwd, path), real: place.ok ? place.value.path : undefined};
    }),
  );
}

/** As named in the session's folder. Joined as text: `..` behind a link is not what node:path makes of it. */
export function absolute(path: string, {cwd}: Roots): string {
  return isAbsolute(path) ? path : `${cwd}/${path}`;
}

/**
 * What an input says will be run: a line, or the words of a program. Some agents tell a program and its arguments apart.
 * Undefined where it says nothing, or not which words.
 */
export function commandOf({command, args}: Readonly<Record<string, unknown>>): ToolCallFacts['run'] {
  if (typeof command !== 'string' && !isWords(command)) return undefined;
  if (args === undefined || args === null) return command;
  return isWords(args) ? [command, args].flat() : undefined;
}

const ENVIRONMENT_FIELD = /^env(?:ironment)?(?:_?var(?:iable)?s)?$/i;

/** What is known of the variables of an input to change a command, in whatever way they are told. */
function changesOf(input: Readonly<Record<string, unknown>>): string | undefined {
  const fields = Object.entries(input).filter(([name]) => ENVIRONMENT_FIELD.test(name));
  const changes = fields.flatMap(([field, value]) => {
    const variables = variablesOf(value ?? null);
    return variables?.filter((variable) => !isHarmless(variable)).map(({name}) => name) ?? [field];
  });
  return changes.length > 0 ? `it sets ${changes.join(', ')}` : undefined;
}

/** Told as a list, as `terminal/create` has it, or as names with values. */
export function variablesOf(env: unknown): readonly acp.EnvVariable[] | undefined {
  if (env === null) return [];
  if (typeof env !== 'object') return undefined;
  const list: readonly unknown[] = Array.isArray(env)
    ? env
    : Object.entries(env).map(([name, value]: [string, unknown]) => ({name, value}));
  return list.every(isVariable) ? list : undefined;
}

function isVariable(value: unknown): value is acp.EnvVariable {
  if (typeof value !== 'object' || value === null) return false;
  const {name, value: text} = value as Record<string, unknown>;
  return typeof name === 'string' && typeof text === 'string';
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? {...value} : {};
}

import type * as acp from '@agentclientprotocol/sdk/unstable';
import {commandForms} from '../terminals/system-shell.ts';
import {commandFolder} from '../terminals/command.ts';
import type {DiffedFile} from './diffed-files.ts';
import type {GrantedCommand, GrantedEffect, GrantedWrite} from './grants.ts';
import type {HostContext} from '../host-context.ts';
import {absolute, commandOf, variablesOf, type RequestedToolCall} from './tool-call-facts.ts';

/** Kinds of tool calls that are not expected to change a file. */
const NO_WRITES: ReadonlySet<acp.ToolKind> = new Set([
  'read',
  'search',
  'think',
  'fetch',
  'switch_mode',
  'execute',
]);
const COMMANDS: ReadonlySet<acp.ToolKind> = new Set(['execute', 'other']);

/**
 * Returns the effects that an approval covers: writes whose new content the diffs show, and the command shown. They are compared exactly when they happen
 * (docs/permissions.md, "What an answer covers").
 */
export async function requestedEffects(
  context: HostContext,
  call: RequestedToolCall,
  files: ReadonlyMap<string, DiffedFile>,
): Promise<readonly GrantedEffect[]> {
  const kind = call.kind ?? 'other';
  const writes = NO_WRITES.has(kind) ? [] : requestedWrites(files);
  const command = COMMANDS.has(kind) ? await requestedCommand(context, call) : undefined;
  return command ? [...writes, command] : writes;
}

function requestedWrites(files: ReadonlyMap<string, DiffedFile>): GrantedWrite[] {
  return [...files].flatMap(([path, {base, content}]) =>
    content === undefined ? [] : [{type: 'write' as const, path, content, base}],
  );
}

/** Input fields that contain a command, and those that do not change what runs. With any other field it is uncertain what was approved. */
const KNOWN_FIELDS =
  /^(?:command|args|cwd|env|description|explanation|reason|justification|title|timeout(?:_?ms|_?seconds|Ms|Seconds)?|(?:run_in|is)_background|(?:run_in|is)Background|(?:call|turn)(?:_id|Id))$/;

async function requestedCommand(
  {options, roots}: HostContext,
  {rawInput}: RequestedToolCall,
): Promise<GrantedCommand | undefined> {
  if (typeof rawInput !== 'object' || rawInput === null) return undefined;
  const input: Readonly<Record<string, unknown>> = {...rawInput};
  const {cwd = null, env = null} = input;
  const command = commandOf(input);
  const variables = variablesOf(env);
  const isWhole = Object.keys(input).every((name) => KNOWN_FIELDS.test(name));
  if (command === undefined || variables === undefined || !isWhole) return undefined;
  if (cwd !== null && typeof cwd !== 'string') return undefined;
  const folder = await commandFolder(absolute(cwd ?? '.', roots), roots);
  if (!folder.ok) return undefined;
  const path = variables.find(({name}) => name === 'PATH')?.value ?? options.env['PATH'];
  return {
    type: 'command',
    forms: commandForms(command, {cwd: folder.value.place.path, path}),
    folder: folder.value.identity,
    env: environmentKey(variables),
  };
}

/** Equal only for the same variables and values; the last one of a name counts. */
export function environmentKey(env: readonly acp.EnvVariable[] | null | undefined): string {
  const values = new Map((env ?? []).map(({name, value}) => [name, value]));
  return JSON.stringify([...values].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

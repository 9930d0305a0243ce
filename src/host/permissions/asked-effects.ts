import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isStringList} from '../../session/labels/command-label.ts';
import {runInput, writeInput} from '../../session/requests/run-input.ts';
import {commandFolder} from '../terminals/command.ts';
import {exactCommand} from '../terminals/same-command.ts';
import type {DiffedFile} from './diffed-files.ts';
import type {GrantedCommand, GrantedEffect, GrantedWrite} from './grants.ts';
import type {HostContext} from '../host-context.ts';
import type {KnownToolCall} from '../services.ts';
import {absolute} from './tool-call-facts.ts';

/** Kinds of tool calls that are not expected to change a file. */
const NO_WRITES: ReadonlySet<acp.ToolKind> = new Set([
  'read',
  'search',
  'think',
  'fetch',
  'switch_mode',
  'execute',
]);
/** Kinds of tool calls whose input may be a write that no diff shows. */
const WRITES: ReadonlySet<acp.ToolKind> = new Set(['edit', 'other']);
const COMMANDS: ReadonlySet<acp.ToolKind> = new Set(['execute', 'other']);
/** Some agents classify a command by what it does. A single word may be a keyword of another tool, such as "view"; a list of words is a command. */
const CLASSIFIED_COMMANDS: ReadonlySet<acp.ToolKind> = new Set(['read', 'search']);

/**
 * Returns the effects that an approval covers: writes whose new content the diffs or the input show, and the command shown. They are compared exactly when they happen
 * (docs/permissions.md, "What an answer covers").
 */
export async function requestedEffects(
  context: HostContext,
  call: KnownToolCall,
  files: ReadonlyMap<string, DiffedFile>,
): Promise<readonly GrantedEffect[]> {
  const kind = call.kind ?? 'other';
  const shown = NO_WRITES.has(kind) ? [] : requestedWrites(files);
  const writes = WRITES.has(kind) ? [...shown, ...(await writesOfInput(context, call))] : shown;
  const command = runsCommand(kind, call) ? await requestedCommand(context, call) : undefined;
  return command ? [...writes, command] : writes;
}

function runsCommand(kind: acp.ToolKind, {rawInput}: KnownToolCall): boolean {
  if (COMMANDS.has(kind)) return true;
  return CLASSIFIED_COMMANDS.has(kind) && isStringList(runInput(rawInput)?.command);
}

function requestedWrites(files: ReadonlyMap<string, DiffedFile>): GrantedWrite[] {
  return [...files].flatMap(([path, {base, content}]) =>
    content === undefined ? [] : [{type: 'write' as const, path, content, base}],
  );
}

/** Only of a file without a text: a request without a diff does not show what another one would lose. */
async function writesOfInput(
  {files, roots}: HostContext,
  {rawInput, content}: KnownToolCall,
): Promise<readonly GrantedWrite[]> {
  const input = writeInput(rawInput);
  if (!input || (content ?? []).some(({type}) => type !== 'content')) return [];
  const place = await roots.confine(absolute(input.path, roots));
  if (!place.ok) return [];
  const {text, fingerprint: base} = await files.snapshot(place.value);
  const isEmpty = text === null || text === '';
  return isEmpty ? [{type: 'write', path: place.value.path, content: input.content, base}] : [];
}

/** What is compared is what will run; a field that may be a part of it, and is not compared, leaves open what was approved. */
async function requestedCommand(
  {options, roots}: HostContext,
  {rawInput}: KnownToolCall,
): Promise<GrantedCommand | undefined> {
  const input = runInput(rawInput);
  if (!input?.isWhole) return undefined;
  const {command, variables} = input;
  const folder = await commandFolder(absolute(input.folder ?? '.', roots), roots);
  if (!folder.ok) return undefined;
  const path = variables.findLast(({name}) => name === 'PATH')?.value ?? options.env['PATH'];
  return {type: 'command', ...exactCommand(command, {variables, folder: folder.value, path})};
}

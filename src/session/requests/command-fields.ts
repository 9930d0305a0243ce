import type {ToolCallContent} from '@agentclientprotocol/sdk/unstable';
import {isStringList} from '../labels/command-label.ts';
import {memoize} from '../memoize.ts';

/** Fields of an input that say what is run, whatever the call says of itself. */
const COMMAND_FIELD =
  /command|cmd|script(?!ion)|shell|bash|argv|^(?:exec|program|executable|interpreter|run|code)$/i;
/** Fields within a command that say something about it. */
const ASIDE =
  /path|file|dir|folder|cwd|^env|^(?:name|type|kind|title|description|reason|query|text|status|id)$/i;
const DEEPEST = 8;

/** What a call shows: its kind and its title are words of the agent, and say nothing. */
interface ShownCall {
  readonly content?: readonly Pick<ToolCallContent, 'type'>[] | null | undefined;
  readonly rawInput?: unknown;
}

/** A line for a shell, or the words of a program. */
export type ReportedCommand = string | readonly string[];

/** True if a tool call has a command in it: in its input, or as a terminal. */
export const holdsCommand = memoize(
  ({content, rawInput}: ShownCall): boolean =>
    (content ?? []).some(({type}) => type === 'terminal') || namesCommand(rawInput),
);

function namesCommand(rawInput: unknown): boolean {
  const {commands, isUnread} = commandsIn(rawInput);
  return isUnread || commands.length > 0;
}

interface ReportedCommands {
  readonly commands: ReportedCommand[];
  /** Something in it cannot be looked through: it may name anything. */
  isUnread: boolean;
}

/** Returns all that an input says will be run, in whatever field, or in none at all. */
export function commandsIn(rawInput: unknown): Readonly<ReportedCommands> {
  const found: ReportedCommands = {commands: [], isUnread: false};
  const isPatch = typeof rawInput === 'string' && patchedFiles(rawInput).length > 0;
  const isRun = (typeof rawInput === 'string' && !isPatch) || isStringList(rawInput);
  collect(rawInput, {isRun, depth: 0}, found);
  return found;
}

function collect(
  value: unknown,
  {isRun, depth}: {readonly isRun: boolean; readonly depth: number},
  found: ReportedCommands,
): void {
  if (isRun && value !== '' && (typeof value === 'string' || isStringList(value))) {
    found.commands.push(value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEEPEST || (isRun && Object.keys(value).length > 0)) found.isUnread = true;
  if (depth > DEEPEST) return;
  for (const [field, each] of Object.entries(value) as [string, unknown][]) {
    const isInCommand = isRun && (Array.isArray(value) || !ASIDE.test(field));
    collect(each, {isRun: isInCommand || COMMAND_FIELD.test(field), depth: depth + 1}, found);
  }
}

const FILE =
  /^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:\+\+\+|---) (?:[ab]\/)?(?!\/dev\/null)|rename (?:from|to) )([^\t\r\n]+)/gm;

/** Returns the files that a patch names, as a unified diff or in the form of `apply_patch`; none where a text is no patch. */
export function patchedFiles(text: string): readonly string[] {
  return [...text.matchAll(FILE)].map(([, path = '']) => path.trim());
}

import type {ToolCallContent} from '@agentclientprotocol/sdk/unstable';
import {isStringList} from '../labels/command-label.ts';
import {memoize} from '../memoize.ts';
import {quoteWords} from '../../text/shell-quote.ts';
import {isPatch} from './patched-files.ts';

/** Input fields that contain a command, whatever kind the call claims. */
const COMMAND_FIELD =
  /command|cmd|script(?!ion)|shell|bash|argv|^(?:exec|program|executable|interpreter|run|code)$/i;
/** Fields of a command that are not part of what runs. */
const ASIDE =
  /path|file|dir|folder|cwd|^env|^(?:name|type|kind|title|description|reason|query|text|status|id)$/i;
const DEEPEST = 8;

/** The fields of a tool call that matter here; its kind and title are only claims of the agent. */
interface ShownCall {
  readonly content?: readonly Pick<ToolCallContent, 'type'>[] | null | undefined;
  readonly rawInput?: unknown;
}

/** A line for a shell, or the words of a program. */
export type ReportedCommand = string | readonly string[];

/** Returns commands as lines for a shell; undefined if there are none. */
export function shellLines(commands: readonly ReportedCommand[]): string | undefined {
  const lines = commands.map((each) => (typeof each === 'string' ? each : quoteWords(each)));
  return lines.length > 0 ? lines.join('\n') : undefined;
}

/** True if a tool call contains a command: in its input, or as a terminal. */
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
  /** True if part of it cannot be searched: it may name anything. */
  isUnread: boolean;
}

/** Returns all commands in an input, in any field. */
export function commandsIn(rawInput: unknown): Readonly<ReportedCommands> {
  const found: ReportedCommands = {commands: [], isUnread: false};
  const isRun = typeof rawInput === 'string' ? !isPatch(rawInput) : isStringList(rawInput);
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

/** Absolute, in the home folder, with a variable or `..`, or a file URL. */
export function isPathLike(text: string): boolean {
  const isPath = /^(?:\/|~|\$\{?\w+\}?\/|\.\.?\/|\.\.$|file:)|\/\.\.(?:\/|$)/i.test(text);
  return isPath && !text.includes('\n');
}

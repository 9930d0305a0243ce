import type {ToolCallContent} from '@agentclientprotocol/sdk/unstable';
import {isStringList} from '../labels/command-label.ts';
import {memoize} from '../memoize.ts';
import {quoteWords} from '../../text/shell-quote.ts';

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
  /(?<![^\n])(\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:\+\+\+|---) (?![ab]?\/dev\/null(?:[\t\r\n]|$))(?:[ab]\/)?|(?:rename|copy) (?:from|to) )([^\t\r\n]+)/g;
/** What follows the old name of a file that a unified diff deletes. */
const GONE = /^[^\n]*\n\+\+\+ b?\/dev\/null/;
/** What follows the old name of a file that `apply_patch` moves. */
const MOVED = /^[^\n]*\n\*\*\* Move to: /;

interface PatchedFile {
  readonly path: string;
  readonly does: 'edit' | 'delete' | 'move' | 'copy';
  /** True for the old name of a file that is moved or copied. */
  readonly isOld: boolean;
}

/** Returns the files that a patch names, in a unified diff or in the `apply_patch` format, with what it does to them; none if the text is not a patch. */
export function patchedFiles(text: string): readonly PatchedFile[] {
  return [...text.matchAll(FILE)].map(({1: start = '', 2: path = '', index}) => {
    const from = text.slice(index, index + MAX_NAME);
    const isMoved = start.startsWith('*** Update') && MOVED.test(from);
    return {
      path: path.trim(),
      does: isMoved ? 'move' : effectOf(start, from),
      isOld: isMoved || start.endsWith(' from '),
    };
  });
}

/** Longer names of files are not looked behind. */
const MAX_NAME = 5000;

function effectOf(start: string, from: string): PatchedFile['does'] {
  if (start.startsWith('*** Delete') || (start.startsWith('---') && GONE.test(from))) return 'delete';
  if (start.startsWith('copy')) return 'copy';
  return start.startsWith('rename') || start.startsWith('*** Move') ? 'move' : 'edit';
}

/** Absolute, in the home folder, with a variable or `..`, or a file URL. */
export function isPathLike(text: string): boolean {
  const isPath = /^(?:\/|~|\$\{?\w+\}?\/|\.\.?\/|\.\.$|file:)|\/\.\.(?:\/|$)/i.test(text);
  return isPath && !text.includes('\n');
}

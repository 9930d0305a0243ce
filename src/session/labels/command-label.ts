import type {ProcessExit} from '../../shared/failure.ts';
import {quoteWords} from '../../text/shell-quote.ts';
import type {ToolCallEntry} from '../entries.ts';
import type {SessionState} from '../state.ts';

/** Returns the command, if the title is only a summary of it and no terminal of the call shows it. */
export function commandLabel(
  {kind, title, rawInput, content}: ToolCallEntry,
  terminals: SessionState['terminals'],
): string | undefined {
  const text = commandIn(rawInput);
  // For other kinds it may be a keyword of the tool, such as "view".
  if (text === undefined || (kind !== 'execute' && !/\s/.test(text.trim()))) return undefined;
  if (text.trim() === '' || saysCommand(title, text)) return undefined;
  const isShown = content.some((item) => item.type === 'terminal' && terminals.get(item.terminalId)?.command);
  return isShown ? undefined : text;
}

/** Returns the command in a tool's input, with lists of words quoted as for a shell; undefined if there is none, or if its arguments are no words. */
export function commandIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const {command, cmd, args: given} = input as Readonly<Record<'command' | 'cmd' | 'args', unknown>>;
  const [line, args] = [command ?? cmd, given ?? []];
  // Without its arguments it would look like another command.
  if (!isStringList(args)) return undefined;
  if (isStringList(line)) return quoteWords([...line, ...args]);
  if (typeof line !== 'string') return undefined;
  return args.length > 0 ? quoteWords([line, ...args]) : line;
}

/** True if a title is the command, possibly after a word such as "Run" and with a remark in brackets. */
export function mentionsCommand(title: string, command: string): boolean {
  return isFirst(command, withoutVerb(title));
}

/** True if a title is nothing else: what is longer may be another command. */
function isFirst(command: string, title: string): boolean {
  return title.startsWith(command) && /^`?(?:$| ?[([])/.test(title.slice(command.length));
}

function withoutVerb(title: string): string {
  return title.replace(/^(?:(?:run|execut)\w*[: ]+)?[`$ ]*/i, '');
}

/** The same, disregarding quotes and blanks; not for approvals. */
export function saysCommand(title: string, command: string): boolean {
  return isFirst(unquoted(command), unquoted(withoutVerb(title)));
}

/** True if a title is the command, perhaps after a word such as "Run". */
export function isTitleOf(title: string, command: string): boolean {
  return unquoted(withoutVerb(title)) === unquoted(command);
}

/** Returns a command without blanks, quotes and backslashes. */
function unquoted(text: string): string {
  return text.replaceAll(/[\s'"`\\]/g, '');
}

export function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

/** Returns how a command failed; undefined for exit code 0. */
export function exitLabel({code, signal}: ProcessExit): string | undefined {
  if (code === 0 && signal === null) return undefined;
  return signal === null ? `exit code ${code ?? 'unknown'}` : `killed by ${signal}`;
}

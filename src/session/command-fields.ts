import type {ToolCallContent} from '@agentclientprotocol/sdk/unstable';
import {remember} from './remember.ts';

/** Fields of an input that say what is run, whatever the call says of itself. */
const COMMAND_FIELD =
  /^(?:command|commands|cmd|cmds|argv|script|shell|shell_command|bash|exec|program|executable)$/i;
const DEEPEST = 8;

/** What a call shows: its kind and its title are words of the agent, and say nothing. */
interface ShownCall {
  readonly content?: readonly Pick<ToolCallContent, 'type'>[] | null | undefined;
  readonly rawInput?: unknown;
}

/** True when a tool call has a command in it: in a field of its input, or as a terminal. */
export const holdsCommand = remember(
  ({content, rawInput}: ShownCall): boolean =>
    (content ?? []).some(({type}) => type === 'terminal') || namesCommand(rawInput, 0),
);

function namesCommand(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  // What nobody looks through may name anything.
  if (depth > DEEPEST) return true;
  return Object.entries(value).some(
    ([field, each]: [string, unknown]) =>
      (COMMAND_FIELD.test(field) && !isEmpty(each)) || namesCommand(each, depth + 1),
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

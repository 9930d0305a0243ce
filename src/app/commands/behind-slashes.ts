import type {Tab} from '../state.ts';
import {callsAnyCommand} from '../../session/content/custom-command.ts';
import {findOwnCommand, type OtherCommand} from './index.ts';

/** A text for the agent, including its slash commands and custom ones; `isAgents` if it cannot be a custom one. */
export interface TextForAgent {
  readonly text: string;
  readonly isAgents: boolean;
}

interface OtherCommands {
  readonly custom: readonly OtherCommand[];
  /** Those of the agent, or the names of files that hide them. */
  readonly agents: readonly OtherCommand[];
}

/** Returns a text as it is sent: two slashes mean the next command of a name, which is a custom one if acp-tui has one, too, and else the agent's. */
export function behindSlashes(text: string, {custom, agents}: OtherCommands): TextForAgent {
  const called = text.startsWith('//') ? text.slice(1) : '';
  const isCustom = callsAnyCommand(called, custom.filter(hasOwnName));
  const isAgents = !isCustom && callsAnyCommand(called, agents);
  return {text: isCustom || isAgents ? called : text, isAgents};
}

/** The same with the commands of an open session. */
export function meantIn({session}: Tab, text: string): TextForAgent {
  return behindSlashes(text, {custom: session.customCommands, agents: session.commands});
}

/** True for the name of one of acp-tui's commands. */
export function hasOwnName({name}: OtherCommand): boolean {
  return findOwnCommand(name) !== undefined;
}

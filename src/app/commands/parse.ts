import {closest, distance} from 'fastest-levenshtein';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Command} from './command.ts';
import {commandMeant, commands} from './index.ts';

/** What a text that is about to be sent means. */
export type Meant =
  | {readonly kind: 'command'; readonly command: Command; readonly argument: string}
  /** Text for the agent, its own slash commands among it. */
  | {readonly kind: 'text'; readonly text: string};

/**
 * Our commands win over the agent's of the same name; `//name` sends the agent's. What nobody knows is text, so that a
 * path at the start of a prompt stays one.
 */
export function parsePrompt(text: string, agents: readonly acp.AvailableCommand[]): Meant {
  const [, name = '', argument = ''] = /^\/(\S+)(?:\s+([^]*))?$/.exec(text) ?? [];
  const command = commandMeant(name, agents);
  if (command) return {kind: 'command', command, argument: argument.trim()};
  const isAgents = text.startsWith('//') && callsAgent(text.slice(1), agents);
  return {kind: 'text', text: isAgents ? text.slice(1) : text};
}

/**
 * The name of a slash command that neither we nor the agent have, and the one that was probably meant; undefined for all other text:
 * a path at the start of a prompt is no command.
 */
export function unknownCommand(
  text: string,
  agents: readonly acp.AvailableCommand[],
): {readonly name: string; readonly closest: string | undefined} | undefined {
  const [, name] = /^\/([a-z][\w:-]*)(?:\s|$)/i.exec(text) ?? [];
  if (name === undefined || commandMeant(name, agents) || callsAgent(text, agents)) return undefined;
  const aliases = commands.flatMap((command) => command.aliases ?? []);
  const names = [...commands, ...agents].map((command) => command.name).concat(aliases);
  return {name, closest: closestTo(name.toLowerCase(), names)};
}

/** The name that differs least; undefined where none is half the same. */
function closestTo(typed: string, names: readonly string[]): string | undefined {
  const name = closest(typed, names);
  return distance(typed, name) <= Math.max(typed.length, name.length) / 2 ? name : undefined;
}

/** True for a text that is one of the agent's commands: nothing else may stand beside it. */
export function callsAgent(text: string, agents: readonly acp.AvailableCommand[]): boolean {
  return agents.some(({name}) => calls(text, name));
}

/** Names of agents' commands may have blanks in them. */
function calls(text: string, name: string): boolean {
  return text.startsWith(`/${name}`) && /^(?:$|\s)/.test(text.slice(name.length + 1));
}

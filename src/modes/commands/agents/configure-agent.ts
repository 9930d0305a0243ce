import {resolve} from 'node:path';
import {quoteAgentText} from '../../../shared/agent-text.ts';
import {findKnownProgram} from '../../../agents/programs.ts';
import {programOnPath} from '../../../shared/processes/executable.ts';
import type {AgentsCommand} from './agents-arguments.ts';
import {printFailure} from '../../../cli/terminal-io.ts';
import {AGENT_NAME, type AgentSettings} from '../../../settings/schema/agent-settings.ts';
import {changeAt} from '../../../settings/settings.ts';
import type {AgentsContext} from './agent-lookup.ts';

/** Reserved names of built-in agents. */
const RESERVED = new Set(['demo']);

/** Adds an agent to the settings. */
export async function addAgent(
  {name, command, settings, replace}: Extract<AgentsCommand, {kind: 'add'}>,
  context: AgentsContext,
): Promise<number> {
  const {config, local, stderr, warn, cwd, path} = context;
  const problem = problemWith(name, {replace, isTaken: Object.hasOwn(local.configured, name)});
  if (problem !== undefined) return printFailure(stderr, problem, 2);
  const [typed = '', ...args] = command;
  // Settings apply in every folder, so paths become absolute.
  const program = typed.includes('/') && !typed.startsWith('~/') ? resolve(cwd, typed) : typed;
  const added: AgentSettings = {command: {command: program, args}, ...settings};
  const changed = await changeAt(config, ['agents', name], added);
  if (!changed.ok) return printFailure(stderr, changed.failure);
  if (!program.includes('/') && programOnPath(program, path) === undefined)
    warn(`No program "${quoteAgentText(program)}" on PATH yet.`);
  const knownProgram = findKnownProgram(name);
  const instead = knownProgram ? `, no longer ${knownProgram.name}` : '';
  stderr(`Added. Start it with --agent ${name}${instead}.\n`);
  return 0;
}

/** Removes an agent from the settings; an installation stays. */
export async function removeAgent(
  {name}: Extract<AgentsCommand, {kind: 'remove'}>,
  {config, local, stderr}: AgentsContext,
): Promise<number> {
  if (!Object.hasOwn(local.configured, name))
    return printFailure(
      stderr,
      `No agent "${quoteAgentText(name)}" in your settings. List agents with: acp-tui agents.`,
      2,
    );
  const changed = await changeAt(config, ['agents', name], undefined);
  if (!changed.ok) return printFailure(stderr, changed.failure);
  stderr(`Removed ${name} from your settings.\n`);
  return 0;
}

function problemWith(
  name: string,
  {replace, isTaken}: {readonly replace: boolean; readonly isTaken: boolean},
): string | undefined {
  if (!AGENT_NAME.test(name))
    return `Invalid agent name "${quoteAgentText(name)}": use letters, digits, ".", "_" and "-", and start with a letter or digit.`;
  if (RESERVED.has(name.toLowerCase()))
    return `The name "${name}" is reserved for the built-in agent. Choose another.`;
  return isTaken && !replace
    ? `Agent "${name}" is already in your settings. --replace overwrites it.`
    : undefined;
}

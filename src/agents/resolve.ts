import {basename, resolve} from 'node:path';
import type {Result} from '../failure.ts';
import type {AgentCommand} from './agent-command.ts';
import {badAgent, readCommandLine} from './command-line.ts';
import type {FindAgent} from './find-agent.ts';

export interface ResolveOptions {
  /** Environment for the agent, on top of the inherited one; variables of both can stand in the command line. */
  readonly env: Readonly<Record<string, string>>;
  /** What `demo` means. */
  readonly demoCommand: {readonly command: string; readonly args: readonly string[]};
  /** Knows agents by name; without it only programs are known. */
  readonly find?: FindAgent;
}

/**
 * Finds out what `--agent` means: the name `demo`, a name that `find` knows, or a command line, split as a shell would do it.
 * `NAME=value` words in front set the agent's environment. What cannot be understood is the failure `bad_agent`.
 */
export function resolveAgent(text: string, {env, demoCommand, find}: ResolveOptions): Result<AgentCommand> {
  const agent = text.trim();
  if (agent === 'demo') return {ok: true, value: {label: agent, byName: true, ...demoCommand, env}};
  const found = find?.(agent);
  if (found) {
    return found.ok
      ? {ok: true, value: {label: agent, byName: true, ...found.value, env: {...found.value.env, ...env}}}
      : found;
  }
  if (/^(wss?|https?):\/\//i.test(agent))
    return badAgent(agent, 'agents at an address are not supported yet; give the command that starts one');
  const line = readCommandLine(agent, env);
  if (!line.ok) return line;
  const {program, args} = line.value;
  // The agent is started in the session's folder, but its path is meant from where the user stands.
  const command = program.includes('/') ? resolve(program) : program;
  return {ok: true, value: {label: labelOf(program, args), command, args, env: line.value.env}};
}

/** The program's name, or the script's when the program only runs scripts. */
function labelOf(command: string, args: readonly string[]): string {
  const name = basename(command);
  const script = args.find((arg) => !arg.startsWith('-'));
  const runsScripts = /^(node|bun|deno|python[\d.]*|ruby|npx|bunx|uvx)(\.exe)?$/.test(name);
  return runsScripts && script !== undefined ? basename(script) : name;
}

import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import type {Result} from '../failure.ts';
import type {AgentSettings, AgentsSettings} from '../persistence/agent-settings.ts';
import type {AgentCommand} from './agent-command.ts';
import {programNamed} from './catalogue/programs.ts';
import {badAgent, readCommandLine} from './command-line.ts';
import {programOnPath} from './on-path.ts';

/** How an agent is started that has a name. */
export type NamedAgent = Omit<AgentCommand, 'label'>;

/** The agent of that name; undefined where nobody knows it, a failure where it is known and cannot be started. */
export type FindAgent = (name: string) => Result<NamedAgent> | undefined;

export interface KnownAgents {
  readonly configured: AgentsSettings;
  /** How one that was installed is started. */
  readonly installed: (name: string) => NamedAgent | undefined;
  /** The `PATH` to look on. */
  readonly path: string | undefined;
}

/** Knows agents by name: those of the settings first, then those that were installed, then well-known programs that are on PATH. */
export function createAgentFinder({configured, installed, path}: KnownAgents): FindAgent {
  return (name) => {
    const command = Object.hasOwn(configured, name) ? configured[name]?.command : undefined;
    if (command !== undefined) return configuredAgent(name, command);
    const start = installed(name);
    if (start) return {ok: true, value: start};
    const program = programNamed(name);
    if (!program || programOnPath(program.program, path) === undefined) return undefined;
    return {ok: true, value: {command: program.program, args: program.args, env: {}}};
  };
}

/**
 * What a command in the settings means. It has to mean the same wherever the user stands, so a path in it is whole: a relative
 * one would be looked for in the folder that is worked on.
 */
function configuredAgent(name: string, command: NonNullable<AgentSettings['command']>): Result<NamedAgent> {
  const line = typeof command === 'string' ? readCommandLine(command, {}) : undefined;
  if (line && !line.ok)
    return badCommand(name, line.failure.kind === 'bad_agent' ? line.failure.problem : '');
  const {program, args, env} = line?.value ?? written(command as {command: string; args?: string[]});
  if (program.includes('/') && !isAbsolute(program))
    return badCommand(name, `the path ${program} has to begin with / or ~`);
  return {ok: true, value: {command: program, args, env}};
}

function written({command, args = []}: {readonly command: string; readonly args?: readonly string[]}) {
  const program = command.startsWith('~/') ? join(homedir(), command.slice(2)) : command;
  return {program, args, env: {}};
}

function badCommand(name: string, problem: string): Result<never> {
  return badAgent(name, `its command in the settings (agents.${name}) cannot be used: ${problem}`);
}

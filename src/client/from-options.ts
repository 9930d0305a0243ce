import {stat} from 'node:fs/promises';
import path from 'node:path';
import {type AgentCommand, resolveAgent, type ResolveOptions} from '../agents/resolve.ts';
import type {CommonOptions} from '../cli/options.ts';
import type {Result} from '../shared/failure.ts';
import type {AgentSettings} from '../storage/settings/agent-settings.ts';
import type {ApprovalLevel} from '../session/actions.ts';
import type {Opening} from '../session/opening-kinds.ts';
import {version} from '../shared/version.ts';
import type {ClientOptions, WantedSettings} from './options.ts';

/** What the command line leaves open, and a setting or the kind of run decides. */
export interface Defaults {
  /** An agent that is to be started so, whatever the options say. */
  readonly command?: AgentCommand;
  readonly opening?: Opening;
  readonly agent: string;
  readonly approval: ApprovalLevel;
  /** What the settings say of this agent. */
  readonly ofAgent: Pick<AgentSettings, 'env' | 'mode' | 'model' | 'options'>;
  readonly person: boolean;
  readonly resolve: Omit<ResolveOptions, 'env'>;
  /** How long an agent may take to answer `initialize`. */
  readonly startSeconds: number;
}

/** Turns the options of the command line into those of a client: agent resolved, paths absolute and there. */
export async function clientOptionsFrom(
  given: CommonOptions,
  defaults: Defaults,
): Promise<Result<ClientOptions>> {
  const {ofAgent, person, startSeconds} = defaults;
  const env = {...ofAgent.env, ...given.env};
  const agent: Result<AgentCommand> = defaults.command
    ? {ok: true, value: {...defaults.command, env}}
    : resolveAgent(given.agent ?? defaults.agent, {...defaults.resolve, env});
  if (!agent.ok) return agent;
  const cwd = path.resolve(given.cwd ?? '.');
  const additionalDirectories = given.additionalDirectories.map((folder) => path.resolve(folder));
  for (const folder of [cwd, ...additionalDirectories]) {
    const problem = await problemWith(folder);
    if (problem !== undefined) return {ok: false, failure: {kind: 'file', path: folder, problem}};
  }
  const options: ClientOptions = {
    agent: agent.value,
    cwd,
    additionalDirectories,
    offer: given.offer,
    approval: given.approve ?? defaults.approval,
    person,
    ...(given.authMethod !== undefined && {authMethod: given.authMethod}),
    settings: given.settings,
    newSettings: newSettings(given.settings, ofAgent),
    ...(defaults.opening && {opening: defaults.opening}),
    startSeconds,
    version,
  };
  return {ok: true, value: options};
}

/** What the command line says wins over what the settings say of the agent. */
function newSettings(
  given: WantedSettings,
  {mode, model, options = {}}: Defaults['ofAgent'],
): WantedSettings {
  const named = new Set(given.options.map(([id]) => id));
  const others = Object.entries(options).filter(([id]) => !named.has(id));
  return {
    ...(mode !== undefined && {mode}),
    ...(model !== undefined && {model}),
    ...given,
    options: [...others.map(([id, value]) => [id, String(value)] as const), ...given.options],
  };
}

async function problemWith(folder: string): Promise<string | undefined> {
  try {
    return (await stat(folder)).isDirectory() ? undefined : 'it is not a folder';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such folder' : String(error);
  }
}

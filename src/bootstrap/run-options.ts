import {resolve} from 'node:path';
import {createInstallableFinder} from '../agents/installable.ts';
import {openRegistry, REGISTRY_URL} from '../agents/registry.ts';
import {createAgentFinder, type ResolveOptions} from '../agents/resolve.ts';
import {agentsFolder, installedStart} from '../agents/install/installed.ts';
import type {CommonOptions} from '../cli/options.ts';
import {clientOptionsFrom, type ClientOptions} from '../client/options.ts';
import type {Result} from '../shared/failure.ts';
import {findPaths} from '../storage/paths.ts';
import {withProjectAgents, trustedSettings} from '../storage/settings/project-settings.ts';
import {DEFAULTS} from '../storage/settings/settings-schema.ts';
import type {ReadSettings} from '../storage/settings/settings.ts';
import type {ResumeTarget} from './resume-target.ts';

export interface RunKind {
  /** True if there is a user who can answer. */
  readonly person: boolean;
  readonly demoCommand: ResolveOptions['demoCommand'];
}

/** Timeout of `initialize`: `npx` may have to install the agent first. */
const START_SECONDS = 120;

/** `ACP_TUI_START_SECONDS` if it is a positive number, otherwise the default. */
function startSeconds({ACP_TUI_START_SECONDS: given}: NodeJS.ProcessEnv): number {
  const seconds = Number(given);
  return seconds > 0 ? seconds : START_SECONDS;
}

/** Returns the settings with those of the working folder, if the user trusts it. */
export function settingsIn({cwd = '.'}: Pick<CommonOptions, 'cwd'>, read: ReadSettings): ReadSettings {
  return withProjectAgents(read, trustedSettings(findPaths().state, resolve(cwd))?.agents);
}

/** Returns the agent in the options, environment or settings; undefined if the user never selected one. */
export function agentWanted(given: CommonOptions, {settings}: ReadSettings): string | undefined {
  return given.agent ?? settings.agent ?? settings.lastAgent;
}

/**
 * Returns the options of a client for the resumed session, or for a new one with the requested agent. Settings of the agent have lower precedence than the
 * command line, and higher than the other settings.
 */
export async function runOptions(
  {given, agent, opening}: ResumeTarget,
  ofUser: ReadSettings,
  {person, demoCommand}: RunKind,
): Promise<Result<ClientOptions>> {
  const read = settingsIn(given, ofUser);
  const {settings, fromEnvironment} = read;
  const name = given.agent ?? agent?.label ?? agentWanted(given, read) ?? DEFAULTS.agent;
  const {agents = {}} = settings;
  const ofAgent = (Object.hasOwn(agents, name) ? agents[name] : undefined) ?? {};
  // The agent's current command, in the settings or as installed, overrides the stored one.
  const installed = installedStart(agentsFolder(findPaths()));
  const isConfigured = ofAgent.command !== undefined || ofAgent.url !== undefined;
  const isStored = agent !== undefined && !isConfigured && installed(name) === undefined;
  const approve = fromEnvironment.has('approve') ? settings.approve : (ofAgent.approve ?? settings.approve);
  return clientOptionsFrom(given, {
    agent: name,
    ofAgent,
    approval: approve ?? (person ? DEFAULTS.approve : 'reads'),
    person,
    resolve: {
      demoCommand,
      installable: createInstallableFinder(
        openRegistry({url: settings.registry?.url ?? REGISTRY_URL, cache: findPaths().cache, now: Date.now}),
      ),
      find: createAgentFinder({configured: agents, installed, path: process.env['PATH']}),
    },
    startSeconds: startSeconds(process.env),
    opening,
    ...(isStored && {command: agent}),
  });
}

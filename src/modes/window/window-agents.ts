import {installedAgents, installedStart} from '../../agents/install/installed.ts';
import {agentsFolder} from '../../shared/files/paths.ts';
import {localAgents} from '../../agents/catalog.ts';
import {openRegistry, REGISTRY_URL} from '../../agents/registry.ts';
import {missingAgents} from '../../agents/programs.ts';
import {createAgentFinder, resolveAgent, withProcess, withProtocol} from '../../agents/resolve.ts';
import type {CommonOptions} from '../../cli/options.ts';
import type {WindowAgents} from '../../window/agents/agent-chooser.ts';
import type {AgentToAsk} from '../../window/sessions/other-agents.ts';
import type {ConversationOptions, OptionsForAgent} from '../../conversation/options.ts';
import {lastAgent} from '../../storage/last-agent.ts';
import {settingsOfAgent} from '../../settings/schema/settings-schema.ts';
import {changeAt, readSettings} from '../../settings/settings.ts';
import {optionsOfAgent, settingsOfFolder, type RunKind} from '../start/run-options.ts';
import type {RunSetup} from '../start/run-setup.ts';

/** Options common to all sessions of a window. */
type OfEverySession = Pick<ConversationOptions, 'customCommands' | 'foreground' | 'openSnapshots'>;

/** Returns the options of a window's other sessions: those for an agent only apply to the first one. Once it is asked for, a sandbox is for all; none is for the first one only. */
export function optionsOfOthers(given: CommonOptions): CommonOptions {
  return {
    ...given,
    settings: {options: []},
    systemPrompt: {},
    env: {},
    authMethod: undefined,
    approve: undefined,
    sandbox: given.sandbox || undefined,
  };
}

/** Returns the dependencies of the list of agents, with the settings at the time it is opened. */
export function windowAgents(given: CommonOptions, setup: RunSetup, own: OfEverySession): WindowAgents {
  const {config, cache} = setup.paths;
  const agents = agentsFolder(setup.paths);
  const settings = () => settingsOfFolder(given, readSettings(config)).settings;
  const url = setup.settings.registry?.url ?? REGISTRY_URL;
  let isFirst = setup.isAgentOpen;
  return {
    local() {
      const path = process.env['PATH'];
      const configured = settings().agents ?? {};
      return {...localAgents({configured, agents, path}), missing: missingAgents(path)};
    },
    registry: openRegistry({url, cache, now: Date.now}),
    mayContact: () => settings().registry?.contact === true,
    async allowContact() {
      const {contact} = settings().registry ?? {};
      if (contact !== undefined) return {ok: true, value: undefined};
      return changeAt(config, ['registry', 'contact'], true);
    },
    async optionsFor(agent, {isConfined, realFolders, ...folders}) {
      const options = await setup.optionsFor({
        ...(isFirst ? given : optionsOfOthers(given)),
        ...folders,
        ...(isConfined !== undefined && {sandbox: isConfined}),
        agent,
        resumeRequest: undefined,
      });
      if (!options.ok) return options;
      isFirst = false;
      return {ok: true, value: {...options.value, realFolders, ...own}};
    },
    folder: agents,
    remember: setup.rememberAgent,
  };
}

/** Returns what the settings say of the agent of a session that is resumed in the window, or of one that is asked for its sessions. */
export function optionsForOthers(given: CommonOptions, {paths, permissions}: RunSetup): OptionsForAgent {
  const others = optionsOfOthers(given);
  return ({agent, cwd, kept, isConfined = others.sandbox}) => ({
    ...optionsOfAgent(
      {...others, sandbox: isConfined},
      {agent, hasUser: true, kept},
      settingsOfFolder({cwd}, readSettings(paths.config)),
    ),
    permissions: permissions.of(agent.label),
  });
}

/** Returns the names of the agents that are configured, used or installed, each once. */
export function agentNames({settings, paths}: Pick<RunSetup, 'settings' | 'paths'>): readonly string[] {
  const {agents = {}, agent} = settings;
  const others = [agent, lastAgent.read(paths.state)].filter((name) => name !== undefined);
  const installed = installedAgents(agentsFolder(paths)).map(({id}) => id);
  return [...new Set([...Object.keys(agents), ...others, ...installed])];
}

/** Returns configured and installed agents, each with its start command, or why it cannot be started. */
export function configuredAgents(
  {settings, paths}: Pick<RunSetup, 'settings' | 'paths'>,
  demoCommand: RunKind['demoCommand'],
): AgentToAsk[] {
  const {agents = {}} = settings;
  const installed = installedStart(agentsFolder(paths));
  const find = createAgentFinder({configured: agents, installed, environment: process.env});
  return agentNames({settings, paths}).map((label) => {
    const ofAgent = settingsOfAgent(settings, label);
    const agent = resolveAgent(label, {env: ofAgent.env ?? {}, demoCommand, find});
    if (!agent.ok) return {label, agent};
    const value = withProtocol(withProcess(agent.value, ofAgent), ofAgent.protocol ?? settings.protocol);
    return {label, agent: {ok: true, value}};
  });
}

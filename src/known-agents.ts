import {createAgentFinder} from './agents/find-agent.ts';
import {agentsFolder, installedAgents, installedStart} from './agents/install/store.ts';
import {resolveAgent} from './agents/resolve.ts';
import type {AgentToAsk} from './client/ask-agents.ts';
import type {RunKind} from './run-options.ts';
import type {RunSetup} from './run-setup.ts';

/** The agents that the settings name or that are installed, each with how it is started, or why it cannot be. */
export function knownAgents(
  {settings, paths}: Pick<RunSetup, 'settings' | 'paths'>,
  demoCommand: RunKind['demoCommand'],
): AgentToAsk[] {
  const {agents = {}, agent, lastAgent} = settings;
  const folder = agentsFolder(paths);
  const installed = installedStart(folder);
  const find = createAgentFinder({configured: agents, installed, path: process.env['PATH']});
  const labels = new Set([
    ...Object.keys(agents),
    ...[agent, lastAgent].filter((name) => name !== undefined),
    ...installedAgents(folder).map(({id}) => id),
  ]);
  return Array.from(labels, (label) => {
    const env = (Object.hasOwn(agents, label) ? agents[label]?.env : undefined) ?? {};
    return {label, agent: resolveAgent(label, {env, demoCommand, find})};
  });
}

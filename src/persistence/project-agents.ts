import type {PermissionRule} from '../session/permission-rules.ts';
import {readAgents, type AgentSettings, type AgentsSettings} from './agent-settings.ts';
import {settingFields} from './settings-schema.ts';
import type {ReadSettings} from './settings.ts';
import {wrongSetting} from './wrong-setting.ts';

/** What a folder says of agents. What they run is among it: nothing of it may hold before the user has said yes. */
export interface ProjectAgents {
  /** The agent to start there. */
  readonly agent?: string;
  readonly agents: AgentsSettings;
  /** Those of the agents. */
  readonly rules: readonly PermissionRule[];
}

/** How far an agent may go unasked is the user's alone to say, and servers have a file of their own. */
const NOT_OF_FOLDERS = ['approve', 'mcpServers'] as const;

/** Reads `agent` and `agents` of a folder's settings; a sentence for each part that cannot be used goes to `problems`. */
export function readProjectAgents(
  {agent, agents}: {readonly agent?: unknown; readonly agents?: unknown},
  file: string,
  problems: string[],
): ProjectAgents {
  const name = settingFields.agent.schema.safeParse(agent);
  if (agent !== undefined && !name.success)
    problems.push(wrongSetting(`"agent" in ${file}`, settingFields.agent.allowed, agent));
  const isObject = settingFields.agents.schema.safeParse(agents).success;
  if (agents !== undefined && !isObject)
    problems.push(wrongSetting(`"agents" in ${file}`, settingFields.agents.allowed, agents));
  const read = readAgents(isObject ? (agents as object) : {}, file);
  problems.push(...read.problems);
  const own = Object.entries(read.agents).map(([id, settings]) => {
    const {approve: _, mcpServers: _servers, ...kept} = settings;
    for (const field of NOT_OF_FOLDERS)
      if (settings[field] !== undefined)
        problems.push(`"agents.${id}.${field}" in ${file} is no setting of a folder; it is ignored.`);
    return [id, kept] as const;
  });
  return {
    ...(name.success && {agent: name.data}),
    agents: Object.fromEntries(own),
    rules: read.rules.map(({effect, text, about}) => ({effect, text, about, source: 'project'})),
  };
}

/** The settings with what a folder says of agents, which counts more than the user's own and less than the environment. */
export function withProjectAgents(read: ReadSettings, project: ProjectAgents | undefined): ReadSettings {
  if (!project) return read;
  const {settings, fromEnvironment} = read;
  const agents = {...settings.agents};
  for (const [id, ofFolder] of Object.entries(project.agents)) {
    const own = Object.hasOwn(agents, id) ? agents[id] : undefined;
    agents[id] = joined(own, ofFolder);
  }
  const agent = fromEnvironment.has('agent') ? settings.agent : (project.agent ?? settings.agent);
  return {...read, settings: {...settings, ...(agent !== undefined && {agent}), agents}};
}

/** Variables that the user meant for another program do not go to the folder's. */
function joined(own: AgentSettings | undefined, ofFolder: AgentSettings): AgentSettings {
  const env = ofFolder.command === undefined ? {...own?.env, ...ofFolder.env} : {...ofFolder.env};
  return {...own, ...ofFolder, env, options: {...own?.options, ...ofFolder.options}};
}

import type {AgentCommand} from '../agents/resolve.ts';
import {type ConfiguredServer, mergeServers, type MergedServer} from '../mcp/config.ts';
import {prepareServer} from '../mcp/prepare.ts';
import type {Secrets} from '../storage/mask.ts';
import {serverSwitches, switchServer} from '../storage/settings/mcp-switches.ts';
import type {McpPlace, McpServers} from './options.ts';

/** The MCP servers of one run: what settings, options and the folder name, and which of them the user has switched. */
export interface McpBook extends McpServers {
  /** A folder's servers hold there from now on. */
  useProject(project: ProjectServers): void;
}

/** What a trusted folder brings. */
export interface ProjectServers {
  readonly servers: readonly ConfiguredServer[];
  /** True for the folder that brings them, under any of its names. */
  readonly holdIn: (folder: string) => boolean;
}

export interface McpBookOptions {
  /** The state folder. */
  readonly state: string;
  readonly ofUser: readonly ConfiguredServer[];
  readonly ofAgent: (agent: AgentCommand) => readonly ConfiguredServer[];
  readonly ofOptions: readonly ConfiguredServer[];
  /** Gets what was filled in for variables, so that it is masked wherever something is written down. */
  readonly secrets: Secrets;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Later places go before earlier ones: the user's settings, those of the agent, the folder, the command line. */
export function createMcpBook({state, ofUser, ofAgent, ofOptions, secrets, env}: McpBookOptions): McpBook {
  let project: ProjectServers | undefined;

  function serversIn({cwd, agent}: McpPlace): readonly MergedServer[] {
    const ofFolder = project?.holdIn(cwd) ? project.servers : [];
    return mergeServers([ofUser, ofAgent(agent), ofFolder, ofOptions]);
  }

  return {
    prepare(place) {
      const {cwd, agent, capabilities} = place;
      const switches = serverSwitches(state, cwd);
      const variables = {...env, ...agent.env, workspaceFolder: cwd};
      const surroundings = {variables, capabilities, onValue: secrets.add};
      return serversIn(place).map((server) =>
        isOn(server, switches) ? prepareServer(server, surroundings) : {server, kind: 'off'},
      );
    },
    switch(name, place) {
      const server = serversIn(place).find((candidate) => candidate.name === name);
      if (!server) return {ok: true, value: undefined};
      const wanted = !isOn(server, serverSwitches(state, place.cwd));
      // Back to what its file says is no switch any more.
      const kept = wanted === !server.disabled ? undefined : wanted;
      return switchServer(state, {folder: place.cwd, name, isOn: kept});
    },
    useProject(trusted) {
      project = trusted;
    },
  };
}

function isOn({name, disabled}: ConfiguredServer, switches: ReadonlyMap<string, boolean>): boolean {
  return switches.get(name) ?? !disabled;
}

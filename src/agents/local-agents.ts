import type {AgentsSettings} from '../storage/settings/agent-settings.ts';
import {installedAgents} from './install/installed.ts';
import {programOnPath, KNOWN_PROGRAMS} from './programs.ts';
import type {CatalogParts} from './catalog.ts';

interface LocalAgentSources {
  readonly configured: AgentsSettings;
  /** Where agents are installed. */
  readonly agents: string;
  /** The `PATH` to search. */
  readonly path: string | undefined;
}

/** Returns the agents on this computer; does not use the network. */
export function localAgents({configured, agents, path}: LocalAgentSources): Omit<CatalogParts, 'registry'> {
  return {
    configured,
    programs: KNOWN_PROGRAMS.filter(({program}) => programOnPath(program, path) !== undefined),
    installed: installedAgents(agents),
  };
}

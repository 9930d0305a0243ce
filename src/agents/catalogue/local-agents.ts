import type {AgentsSettings} from '../../persistence/agent-settings.ts';
import {installedAgents} from '../install/store.ts';
import {programOnPath} from '../on-path.ts';
import type {CatalogueParts} from './catalogue.ts';
import {KNOWN_PROGRAMS} from './programs.ts';

export interface Surroundings {
  readonly configured: AgentsSettings;
  /** Where agents are installed. */
  readonly agents: string;
  /** The `PATH` to look on. */
  readonly path: string | undefined;
}

/** The agents of this computer; asks nobody else. */
export function localAgents({configured, agents, path}: Surroundings): Omit<CatalogueParts, 'registry'> {
  return {
    configured,
    programs: KNOWN_PROGRAMS.filter(({program}) => programOnPath(program, path) !== undefined),
    installed: installedAgents(agents),
  };
}

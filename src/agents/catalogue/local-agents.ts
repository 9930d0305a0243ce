import type {AgentsSettings} from '../../persistence/agent-settings.ts';
import {programOnPath} from '../on-path.ts';
import type {CatalogueParts} from './catalogue.ts';
import {KNOWN_PROGRAMS} from './programs.ts';

/** The agents of this computer; asks nobody else. */
export function localAgents(
  configured: AgentsSettings,
  path: string | undefined,
): Omit<CatalogueParts, 'registry'> {
  return {
    configured,
    programs: KNOWN_PROGRAMS.filter(({program}) => programOnPath(program, path) !== undefined),
    installed: [],
  };
}

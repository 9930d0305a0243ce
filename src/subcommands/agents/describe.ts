import {updateOf, type CatalogueEntry} from '../../agents/catalogue/catalogue.ts';
import {commandLine} from '../../agents/catalogue/words.ts';
import type {AgentsContext} from './context.ts';

/** An agent as JSON for other programs; of the settings it has no values that may be secret. */
export function agentJson(entry: CatalogueEntry, {mask}: Pick<AgentsContext, 'mask'>) {
  const {id, name, origins, installed, registry, settings} = entry;
  const command = commandLine(entry);
  const {env = {}, mode, model, approve} = settings ?? {};
  const update = updateOf(entry);
  return {
    id,
    name,
    origins,
    ...(command !== undefined && {command: mask(command)}),
    ...(settings && {settings: {env: Object.keys(env), mode, model, approve}}),
    ...(installed && {installedVersion: installed.version}),
    ...(update !== undefined && {update}),
    ...(registry && {registry}),
  };
}

import type {Registry} from './registry.ts';
import {programNamed} from './programs.ts';

/** Returns what finds the id to install an agent by: of a well-known program, or of what the registry said when it was asked last. */
export function createInstallableFinder(
  registry: Pick<Registry, 'known'>,
): (name: string) => string | undefined {
  return (name) => programNamed(name)?.id ?? registry.known()?.entries.find(({id}) => id === name)?.id;
}

import type {Registry} from './registry.ts';
import {findKnownProgram} from './programs.ts';

/** Returns what finds the id to install an agent by: of a well-known program, or of what the registry said when it was asked last. */
export function createInstallableFinder(
  registry: Pick<Registry, 'cached'>,
): (name: string) => string | undefined {
  return (name) => findKnownProgram(name)?.id ?? registry.cached()?.entries.find(({id}) => id === name)?.id;
}

import type {Registry} from './registry.ts';
import {findKnownProgram} from './programs.ts';

/** Returns a lookup from a name to the id to install: of a well-known program, or from the cached registry. */
export function createInstallableFinder(
  registry: Pick<Registry, 'cached'>,
): (name: string) => string | undefined {
  return (name) => findKnownProgram(name)?.id ?? registry.cached()?.entries.find(({id}) => id === name)?.id;
}

import {join} from 'node:path';
import {failed} from '../../file-failed.ts';
import type {Result} from '../../failure.ts';
import type {InstalledAgent} from './manifest.ts';
import {installedVersions, removeAtOnce, removeLeftovers} from './store.ts';

/** Removes an agent that is installed, in all its versions, which it gives; empty when there is none of that id. */
export async function uninstall(agents: string, id: string): Promise<Result<readonly InstalledAgent[]>> {
  try {
    await removeLeftovers(agents);
    const versions = installedVersions(agents, id);
    if (versions.length > 0) await removeAtOnce(agents, join(agents, id));
    return {ok: true, value: versions};
  } catch (error) {
    return failed(join(agents, id), error);
  }
}

import {randomBytes} from 'node:crypto';
import {mkdirSync, readdirSync} from 'node:fs';
import {mkdir, rename, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {codeOf, makeFolder} from '../../persistence/private-files.ts';
import {isRunning, ownIdentity} from '../../persistence/process-identity.ts';
import {readManifest, type InstalledAgent} from './manifest.ts';

/* `<data>/agents/<id>/<version>/` is there whole or not at all: it is made beside, and moved into place. */

/** Of the registry; it is the name of a folder too. */
const AGENT_ID = /^[a-z][a-z0-9-]*$/;

/** Where agents are installed. */
export function agentsFolder({data}: {readonly data: string}): string {
  return join(data, 'agents');
}

/** The agents that are installed, each in the version that is used. */
export function installedAgents(agents: string): readonly InstalledAgent[] {
  return namesIn(agents).flatMap((id) => installedVersions(agents, id).slice(0, 1));
}

/** The versions of an agent, the one that was installed last first: that is the one that is used. None for what is no id. */
export function installedVersions(agents: string, id: string): readonly InstalledAgent[] {
  if (!AGENT_ID.test(id)) return [];
  return namesIn(join(agents, id))
    .flatMap((version) => readManifest(join(agents, id, version)) ?? [])
    .filter((installed) => installed.id === id)
    .sort((one, other) => other.installedAt - one.installedAt);
}

/** How an agent that is installed is started, by its id. */
export function installedStart(agents: string): (id: string) => InstalledAgent['start'] | undefined {
  return (id) => installedVersions(agents, id)[0]?.start;
}

const TEMPORARY = /^\.temporary-(?<pid>\d+)-(?<started>\d*)-/;

/** A folder of our own, on the same file system. */
export function temporaryFolder(agents: string): string {
  const {pid, started} = ownIdentity();
  makeFolder(agents);
  const folder = join(agents, `.temporary-${pid}-${started}-${randomBytes(4).toString('hex')}`);
  mkdirSync(folder, {mode: 0o700});
  return folder;
}

/** Removes what processes left behind that are no more. */
export async function removeLeftovers(agents: string): Promise<void> {
  for (const name of namesIn(agents)) {
    const {pid, started = ''} = TEMPORARY.exec(name)?.groups ?? {};
    if (pid === undefined || isRunning({pid: Number(pid), started})) continue;
    await removeWhole(join(agents, name));
  }
}

/** What cannot be removed now is in nobody's way: it is tried again when the next agent is installed. */
export async function removeWhole(folder: string): Promise<void> {
  await rm(folder, {recursive: true, force: true}).catch(() => {});
}

/**
 * Moves a whole new version into its place. When another process was faster, what that installed stays. Throws what Node's file
 * functions throw.
 */
export async function putInPlace(made: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), {recursive: true});
  try {
    await rename(made, folder);
  } catch (error) {
    const isTaken = ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error) ?? '');
    if (!isTaken || !readManifest(folder)) throw error;
  }
}

/** Removes a folder of installed agents, at once as others see it. Throws what Node's file functions throw. */
export async function removeAtOnce(agents: string, folder: string): Promise<void> {
  const aside = temporaryFolder(agents);
  try {
    await rename(folder, join(aside, 'removed'));
  } finally {
    await removeWhole(aside);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

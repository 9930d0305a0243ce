import {randomBytes} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {mkdir, rename, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import * as z from 'zod/mini';
import type {Result} from '../../shared/failure.ts';
import {fileFailed} from '../../shared/files/file-failure.ts';
import {isWithin} from '../../shared/files/folders.ts';
import {codeOf, makeFolder, namesIn} from '../../shared/files/safe-files.ts';
import {readJson} from '../../shared/files/json-file.ts';
import {isRunning, ownIdentity} from '../../shared/processes/process-identity.ts';
import type {AgentCommand} from '../resolve.ts';

/* `<data>/agents/<id>/<version>/` is complete or absent: it is built in a temporary folder and moved into place. */

/** An id of the registry; also used as a folder name. */
const AGENT_ID = /^[a-z][a-z0-9-]*$/;

/** Returns the installed agents, each in its current version. */
export function installedAgents(agents: string): readonly InstalledAgent[] {
  return namesIn(agents).flatMap((id) => installedVersions(agents, id).slice(0, 1));
}

/** Returns the installed versions of an agent, the current (last installed) one first; empty if `id` is not a valid id. */
export function installedVersions(agents: string, id: string): readonly InstalledAgent[] {
  if (!AGENT_ID.test(id)) return [];
  return namesIn(join(agents, id))
    .flatMap((version) => readManifest(join(agents, id, version)) ?? [])
    .filter((installed) => installed.id === id)
    .sort((one, other) => other.installedAt - one.installedAt);
}

/** Returns a lookup from the id of an installed agent to its start command. */
export function installedStart(agents: string): (id: string) => InstalledAgent['start'] | undefined {
  return (id) => installedVersions(agents, id)[0]?.start;
}

const TEMPORARY = /^\.temporary-(?<pid>\d+)-(?<started>\d*)-/;

/** Returns a new temporary folder on the same file system. */
export function temporaryFolder(agents: string): string {
  const {pid, started} = ownIdentity();
  makeFolder(agents);
  const folder = join(agents, `.temporary-${pid}-${started}-${randomBytes(4).toString('hex')}`);
  mkdirSync(folder, {mode: 0o700});
  return folder;
}

/** Removes temporary folders of processes that no longer run. */
export async function removeLeftovers(agents: string): Promise<void> {
  for (const name of namesIn(agents)) {
    const {pid, started = ''} = TEMPORARY.exec(name)?.groups ?? {};
    if (pid === undefined || isRunning({pid: Number(pid), started})) continue;
    await removeFolder(join(agents, name));
  }
}

/** Removes a folder. Errors are ignored: the next installation tries again. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, {recursive: true, force: true}).catch(() => {});
}

/** Moves a complete version into place. If another process was faster, its version is kept. Throws the errors of Node's file functions. */
export async function moveIntoPlace(made: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), {recursive: true});
  try {
    await rename(made, folder);
  } catch (error) {
    const isTaken = ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error) ?? '');
    if (!isTaken || !readManifest(folder)) throw error;
  }
}

/** Removes a folder of installed agents; for other processes it disappears at once. Throws the errors of Node's file functions. */
export async function removeAtomically(agents: string, folder: string): Promise<void> {
  const aside = temporaryFolder(agents);
  try {
    await rename(folder, join(aside, 'removed'));
  } finally {
    await removeFolder(aside);
  }
}

/** The description stored with an installed agent: name, source and start command. */
const manifestSchema = z.lazy(() =>
  z.object({
    v: z.literal(1),
    id: z.string(),
    name: z.string(),
    version: z.string(),
    kind: z.enum(['binary', 'npx', 'uvx']),
    /** Milliseconds since the epoch. */
    installedAt: z.number(),
    /** A URL, or a package with its version. */
    from: z.string(),
    /** Of the archive. */
    sha256: z.optional(z.string()),
    /** A `command` with a slash is below the folder of the version; one without is looked up on PATH. */
    start: z.object({command: z.string(), args: z.array(z.string()), env: z.record(z.string(), z.string())}),
  }),
);
export type Manifest = z.infer<typeof manifestSchema>;

/** An installed version of an agent. */
export interface InstalledAgent extends Omit<Manifest, 'v' | 'start'> {
  readonly folder: string;
  readonly start: Omit<AgentCommand, 'label'>;
}

export const MANIFEST = 'installed.json';

export function serializeManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** Returns the manifest in the folder of a version; undefined if there is no valid one. */
export function loadManifest(folder: string): Manifest | undefined {
  return readJson(join(folder, MANIFEST), manifestSchema);
}

/** Returns the agent in the folder of a version; undefined if there is none. */
export function readManifest(folder: string): InstalledAgent | undefined {
  const manifest = loadManifest(folder);
  if (!manifest) return undefined;
  const {v: _, start, ...facts} = manifest;
  if (!start.command.includes('/')) return {...facts, folder, start};
  const command = join(folder, start.command);
  return command !== folder && isWithin(command, folder)
    ? {...facts, folder, start: {...start, command}}
    : undefined;
}

/** Removes all versions of an installed agent and returns them; empty if there is none with that id. */
export async function uninstall(agents: string, id: string): Promise<Result<readonly InstalledAgent[]>> {
  try {
    await removeLeftovers(agents);
    const versions = installedVersions(agents, id);
    if (versions.length > 0) await removeAtomically(agents, join(agents, id));
    return {ok: true, value: versions};
  } catch (error) {
    return fileFailed(join(agents, id), error);
  }
}

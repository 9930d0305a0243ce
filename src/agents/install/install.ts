import {mkdir, open} from 'node:fs/promises';
import {join} from 'node:path';
import type {Result} from '../../shared/failure.ts';
import {failed} from '../../shared/file-failure.ts';
import {replaceFile} from '../../storage/files.ts';
import type {Consent} from './consent.ts';
import {installFailed, type InstallPlan} from './plan.ts';
import type {InstallStep, InstallResult, InstallContext} from './sources.ts';
import {
  MANIFEST,
  loadManifest,
  readManifest,
  serializeManifest,
  type InstalledAgent,
  installedVersions,
  moveIntoPlace,
  removeAtomically,
  removeLeftovers,
  removeFolder,
  temporaryFolder,
} from './installed.ts';

export interface InstallOptions {
  /** Where agents are installed. */
  readonly agents: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Cancels the installation. */
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: InstallStep) => void) | undefined;
}

/** The current version and the one before, which another window may still be running. */
const VERSIONS_KEPT = 2;

/**
 * Installs an agent according to a plan with consent. The version is complete afterwards or absent, also when this process is killed or two install it at
 * once; other versions are unchanged. Failures are of the kinds `install`, `download`, `bad_archive` and `file`.
 */
export async function install({plan}: Consent, options: InstallOptions): Promise<Result<InstalledAgent>> {
  const {agents, signal} = options;
  let scratch: string | undefined;
  try {
    await removeLeftovers(agents);
    if (useAgain(plan.folder, options)) return installedIn(plan.folder);
    scratch = temporaryFolder(agents);
    const made = await makeWhole(plan, scratch, options);
    if (!made.ok) return signal?.aborted ? installFailed(plan.id, 'called_off', '') : made;
    await moveIntoPlace(made.value, plan.folder);
    await removeOldVersions(agents, plan.id);
    return installedIn(plan.folder);
  } catch (error) {
    return failed(agents, error);
  } finally {
    if (scratch !== undefined) await removeFolder(scratch);
  }
}

/** Versions that cannot be removed because they are running, or are being removed elsewhere, are retried with the next installation. */
async function removeOldVersions(agents: string, id: string): Promise<void> {
  for (const {folder} of installedVersions(agents, id).slice(VERSIONS_KEPT)) {
    await removeAtomically(agents, folder).catch(() => {});
  }
}

/** A version that exists only has to become the most recently installed one. */
function useAgain(folder: string, {now}: InstallOptions): boolean {
  const manifest = loadManifest(folder);
  if (manifest) replaceFile(join(folder, MANIFEST), serializeManifest({...manifest, installedAt: now()}));
  return manifest !== undefined;
}

function installedIn(folder: string): Result<InstalledAgent> {
  const installed = readManifest(folder);
  return installed ? {ok: true, value: installed} : failed(folder, 'it was removed in the meantime');
}

/** Builds the version in a temporary folder and returns that folder. */
async function makeWhole(
  plan: InstallPlan,
  scratch: string,
  {now, signal, onStep}: InstallOptions,
): Promise<Result<string>> {
  const folder = join(scratch, 'version');
  await mkdir(folder);
  const made = await make(plan, {folder, scratch, signal, onStep});
  if (!made.ok) return made;
  const {id, name, version, kind} = plan;
  const text = serializeManifest({v: 1, id, name, version, kind, installedAt: now(), ...made.value});
  await writeDurably(join(folder, MANIFEST), text);
  return {ok: true, value: folder};
}

async function make(plan: InstallPlan, making: InstallContext): Promise<Result<InstallResult>> {
  switch (plan.kind) {
    case 'binary':
      return (await import('./sources.ts')).installBinary(plan, making);
    case 'npx':
      return (await import('./sources.ts')).installNpx(plan, making);
    case 'uvx':
      return (await import('./sources.ts')).installUvx(plan, making);
  }
}

/** An installation that was reported as complete must survive a power failure. */
async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

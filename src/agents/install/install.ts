import {mkdir, open, chmod, realpath, stat, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import type {Result} from '../../shared/failure.ts';
import {ownEnvironment} from '../../shared/processes/executable.ts';
import {fileFailed} from '../../shared/files/file-failure.ts';
import {isWithin} from '../../shared/files/folders.ts';
import {replaceFile} from '../../shared/files/safe-files.ts';
import type {Consent} from './consent.ts';
import {installFailed, type InstallPlan, type InstallStep} from './plan.ts';
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
  type Manifest,
} from './installed.ts';
import {downloadFile} from '../../download/download.ts';
import {displayUrl} from '../../download/url.ts';
import {stderrSummary} from '../../shared/agent-text.ts';
import {jsonOf} from '../../text/json.ts';
import {agentEnvironment} from '../environment.ts';

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
    const built = await buildVersion(plan, scratch, options);
    if (!built.ok) return signal?.aborted ? installFailed(plan.id, 'called_off', '') : built;
    await moveIntoPlace(built.value, plan.folder);
    await removeOldVersions(agents, plan.id);
    return installedIn(plan.folder);
  } catch (error) {
    return fileFailed(agents, error);
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
  return installed ? {ok: true, value: installed} : fileFailed(folder, 'it was removed in the meantime');
}

/** Builds the version in a temporary folder and returns that folder. */
async function buildVersion(
  plan: InstallPlan,
  scratch: string,
  {now, signal, onStep}: InstallOptions,
): Promise<Result<string>> {
  const folder = join(scratch, 'version');
  await mkdir(folder);
  const built = await fetchAgent(plan, {folder, scratch, signal, onStep});
  if (!built.ok) return built;
  const {id, name, version, kind} = plan;
  const text = serializeManifest({v: 1, id, name, version, kind, installedAt: now(), ...built.value});
  await writeDurably(join(folder, MANIFEST), text);
  return {ok: true, value: folder};
}

async function fetchAgent(plan: InstallPlan, context: InstallContext): Promise<Result<InstallResult>> {
  switch (plan.kind) {
    case 'binary':
      return installBinary(plan, context);
    case 'npx':
      return installNpx(plan, context);
    case 'uvx':
      return installUvx(plan, context);
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

interface InstallContext {
  /** Empty; becomes the folder of the version. */
  readonly folder: string;
  /** For temporary files; on the same file system. */
  readonly scratch: string;
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: InstallStep) => void) | undefined;
}

/** The part of the manifest that records the source of an agent and its start command. */
type InstallResult = Pick<Manifest, 'from' | 'start' | 'sha256'>;

/** Fetches an agent of one kind of distribution into a folder. */
type AgentInstaller<Kind extends InstallPlan['kind']> = (
  plan: Extract<InstallPlan, {kind: Kind}>,
  context: InstallContext,
) => Promise<Result<InstallResult>>;

const MIB = 1024 * 1024;
/** The largest archives of the registry have a few hundred MiB. */
const LIMIT_BYTES = 2048 * MIB;

/** File names that must be archives, whatever they contain. */
const ARCHIVE_NAME = /\.(?:zip|tar|tar\.\w+|tgz|tbz2?|txz)$/i;

/** Installs a binary for this computer, from an archive or as a single file. */
const installBinary: AgentInstaller<'binary'> = async (plan, {folder, scratch, signal, onStep}) => {
  const {id, archive: address, sha256, cmd, args, env} = plan;
  const archive = join(scratch, 'archive');
  const downloaded = await downloadFile(address, archive, {
    limitBytes: LIMIT_BYTES,
    signal,
    onProgress: (progress) => onStep?.({kind: 'download', ...progress}),
  });
  if (!downloaded.ok) return downloaded;
  const got = downloaded.value.sha256;
  if (sha256 !== undefined && sha256.toLowerCase() !== got) {
    return installFailed(id, 'checksum', `${got} instead of ${sha256.toLowerCase()}`);
  }
  const files = join(folder, 'files');
  await mkdir(files);
  const program = cmd.replaceAll('\\', '/');
  const from = new URL(address);
  const mayBeProgram = !ARCHIVE_NAME.test(from.pathname);
  let bytes = 0;
  const {unpack} = await import('./unpack/unpack.ts');
  const unpacked = await unpack({
    archive,
    folder: files,
    program: mayBeProgram ? program : undefined,
    onBytes: (more) => onStep?.({kind: 'unpack', bytes: (bytes += more)}),
    signal,
  });
  if (!unpacked.ok) return unpacked;
  if (!(await makeExecutable(files, program))) return installFailed(id, 'no_program', cmd);
  const start = {command: `./files/${program.replace(/^\.\//, '')}`, args, env};
  return {ok: true, value: {from: displayUrl(from), sha256: got, start}};
};

/** Returns true if the program exists in the folder, and makes it executable. */
async function makeExecutable(folder: string, program: string): Promise<boolean> {
  try {
    const file = await realpath(join(folder, program));
    if (!isWithin(file, await realpath(folder)) || !(await stat(file)).isFile()) return false;
    await chmod(file, 0o755);
    await writeThrough(file);
    return true;
  } catch {
    return false;
  }
}

/** The program file is synced, so that a power failure can't leave half of it. */
async function writeThrough(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const NPM_ARGS = [
  'install',
  '--no-audit',
  '--no-fund',
  '--omit=dev',
  '--install-strategy=hoisted',
  '--loglevel=error',
];

/**
 * Installs an npm package into its own folder. `npx` would fetch it at the first start, long after the consent, and again whenever its cache is cleaned; and
 * each start would wait for npm.
 */
const installNpx: AgentInstaller<'npx'> = async (plan, {folder, signal, onStep}) => {
  const {id, pinned, cmd, args, env} = plan;
  const spec = `${pinned.name}@${pinned.version}`;
  onStep?.({kind: 'run', program: 'npm'});
  // A package.json of its own, so that npm applies the user's settings and not those of a surrounding project.
  await writeFile(join(folder, 'package.json'), '{"private": true}\n');
  const {execa} = await import('execa');
  const npm = await execa('npm', [...NPM_ARGS, `--prefix=${folder}`, spec], {
    cwd: folder,
    env: ownEnvironment(agentEnvironment(process.env)),
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    ...(signal && {cancelSignal: signal}),
  });
  if (npm.failed) {
    return installFailed(id, 'runner_failed', `Output of npm: ${npmReason(npm.stderr) ?? npm.shortMessage}`);
  }
  const program = await programOf(join(folder, 'node_modules', pinned.name), cmd);
  if (program === undefined) return installFailed(id, 'no_program', cmd ?? pinned.name);
  const command = `./node_modules/.bin/${program}${process.platform === 'win32' ? '.cmd' : ''}`;
  return {ok: true, value: {from: spec, start: {command, args, env}}};
};

/** Returns the first readable lines of npm's stderr, without codes, paths inside npm and the path of its log. */
function npmReason(stderr: string): string | undefined {
  const lines = stderr
    .split('\n')
    .map((line) => line.replace(/^npm (?:error|ERR!)\s*(?:(?:[a-z]+|\d{3})\s+(?=[A-Z]))?/, ''))
    .filter((line) => !/^(?:E[A-Z0-9]+|syscall|errno|at|A complete log|\d{3}|)(?:\s|$)/.test(line));
  return stderrSummary(lines.slice(0, 2).join('\n'))?.replaceAll('\n', ' | ');
}

const packageSchema = z.object({
  name: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]),
});

/** Selects the program as `npx` does: the requested one, the only one, or the one named like the package. */
async function programOf(folder: string, wanted: string | undefined): Promise<string | undefined> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '');
  const read = packageSchema.safeParse(jsonOf(text));
  if (!read.success) return undefined;
  const {name, bin} = read.data;
  const own = name.replace(/^@[^/]*\//, '');
  const programs = typeof bin === 'string' ? [own] : Object.keys(bin);
  const chosen = wanted ?? (programs.length === 1 ? programs[0] : own);
  return programs.find((program) => program === chosen && /^[\w.-]+$/.test(program));
}

/**
 * Plans a Python package. uv keeps all packages in a shared cache that can't be moved: `uvx` fetches the agreed version at the first start and finds it there
 * afterwards.
 */
const installUvx: AgentInstaller<'uvx'> = async ({pinned: {name, version}, cmd, args, env}) => {
  const spec = `${name}==${version}`;
  const command = cmd ?? name.replace(/\[.*$/, '');
  return {
    ok: true,
    value: {from: spec, start: {command: 'uvx', args: ['--from', spec, command, ...args], env}},
  };
};

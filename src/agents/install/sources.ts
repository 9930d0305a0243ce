import {chmod, mkdir, open, realpath, stat, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import type {Progress} from '../../download/body.ts';
import {downloadFile} from '../../download/download.ts';
import {displayUrl} from '../../download/url.ts';
import {stderrSummary} from '../../shared/agent-text.ts';
import type {Result} from '../../shared/failure.ts';
import {jsonOf} from '../../text/json.ts';
import {agentEnvironment} from '../environment.ts';
import {type Manifest, isWithin} from './installed.ts';
import {type InstallPlan, installFailed} from './plan.ts';
import {unpack} from './unpack/unpack.ts';

/** A step of an installation. */
export type InstallStep =
  | ({readonly kind: 'download'} & Progress)
  /** So many bytes are unpacked. */
  | {readonly kind: 'unpack'; readonly bytes: number}
  | {readonly kind: 'run'; readonly program: string};

export interface InstallContext {
  /** Empty; becomes the folder of the version. */
  readonly folder: string;
  /** For what is not kept; on the same file system. */
  readonly scratch: string;
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: InstallStep) => void) | undefined;
}

/** The part of the manifest that records the source of an agent and its start command. */
export type InstallResult = Pick<Manifest, 'from' | 'start' | 'sha256'>;

/** Fetches an agent of one kind of distribution into a folder. */
type AgentInstaller<Kind extends InstallPlan['kind']> = (
  plan: Extract<InstallPlan, {kind: Kind}>,
  making: InstallContext,
) => Promise<Result<InstallResult>>;

const MIB = 1024 * 1024;
/** The largest archives of the registry have some hundred. */
const LIMIT_BYTES = 2048 * MIB;

/** What says that a file is an archive, whatever is in it. */
const ARCHIVE_NAME = /\.(?:zip|tar|tar\.\w+|tgz|tbz2?|txz)$/i;

/** A program built for this computer, in an archive or by itself. */
export const installBinary: AgentInstaller<'binary'> = async (plan, {folder, scratch, signal, onStep}) => {
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

/** True if there is such a program in the folder. */
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

/** Without this file nothing works: a power failure must not leave half of it. */
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
 * A package of npm, in a folder of its own. `npx` would fetch it when it is first started, long after it was agreed to, and again when
 * its cache is cleaned; and each start would wait for npm.
 */
export const installNpx: AgentInstaller<'npx'> = async (plan, {folder, signal, onStep}) => {
  const {id, pinned, cmd, args, env} = plan;
  const spec = `${pinned.name}@${pinned.version}`;
  onStep?.({kind: 'run', program: 'npm'});
  // The settings of npm count that the user has, not those of a project that is around.
  await writeFile(join(folder, 'package.json'), '{"private": true}\n');
  const {execa} = await import('execa');
  const npm = await execa('npm', [...NPM_ARGS, `--prefix=${folder}`, spec], {
    cwd: folder,
    env: agentEnvironment(process.env, {}),
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    ...(signal && {cancelSignal: signal}),
  });
  if (npm.failed) {
    return installFailed(id, 'runner_failed', `Output of npm: ${saidBy(npm.stderr) ?? npm.shortMessage}`);
  }
  const program = await programOf(join(folder, 'node_modules', pinned.name), cmd);
  if (program === undefined) return installFailed(id, 'no_program', cmd ?? pinned.name);
  const command = `./node_modules/.bin/${program}${process.platform === 'win32' ? '.cmd' : ''}`;
  return {ok: true, value: {from: spec, start: {command, args, env}}};
};

/** The first lines meant for people, without codes, locations in npm, and the path of its log. */
function saidBy(stderr: string): string | undefined {
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

/** As `npx` chooses: the one that is asked for, the only one, or the one that is called as the package is. */
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
 * A Python package. uv has a store of its own for all of them, which cannot be moved: `uvx` fetches the version that was agreed to when the
 * agent is first started, and finds it there afterwards.
 */
export const installUvx: AgentInstaller<'uvx'> = async ({pinned: {name, version}, cmd, args, env}) => {
  const spec = `${name}==${version}`;
  const command = cmd ?? name.replace(/\[.*$/, '');
  return {
    ok: true,
    value: {from: spec, start: {command: 'uvx', args: ['--from', spec, command, ...args], env}},
  };
};

import {spawn} from 'node:child_process';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Readable} from 'node:stream';
import {isWithin} from '../shared/files/folders.ts';
import {TEMPORARY} from './agent/agent-places.ts';
import {mountArguments} from './mount-namespace.ts';
import type {PlannedMount} from './mount-table.ts';
import type {HiddenEntries, Workspace} from './mounts.ts';
import type {SandboxPolicy} from './policy.ts';
import type {Programs} from './programs.ts';

/** What stays outside of a sandbox: no program inside can read it. */
export interface Runtime {
  /** A private folder of this sandbox. */
  readonly folder: string;
  /** Inside it: mounted as the temporary folder. */
  readonly temporary: string;
  /** The Unix socket of the proxies. */
  readonly socket: string;
  /** The seccomp filter. */
  readonly filter: string;
  readonly emptyFile: string;
}

const words = (text: string) => text.split(' ');

export function runtimeIn(folder: string): Runtime {
  const at = (name: string) => join(folder, name);
  return {folder, temporary: at('tmp'), socket: at('proxy'), filter: at('filter'), emptyFile: at('empty')};
}

/** The port on which the proxies are reached inside. */
export const PROXY_PORT = 3128;

/** How long it may take to start, in milliseconds. */
const START_MS = 10_000;

/**
 * Starts the keeper, a process that passes connections on to the proxies; throws with the reason, as bubblewrap gives it. It keeps nothing of what runs inside.
 * @param ports of this computer that are reached under the same address inside: programs use no proxy for it
 */
export async function startKeeper(
  {bwrap, nsenter, socat, sh, env}: Programs,
  {socket}: Runtime,
  {network, ports}: {readonly network: readonly string[]; readonly ports: readonly number[]},
) {
  const listen = (port: number) => `TCP4-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr,backlog=4096`;
  const forwards = ports.flatMap((port) => [
    listen(port),
    `PROXY:127.0.0.1:127.0.0.1:${port},proxyport=${PROXY_PORT}`,
  ]);
  const child = spawn(
    nsenter,
    [
      ...network,
      '--preserve-credentials',
      '--',
      bwrap,
      ...words('--unshare-user --unshare-pid --die-with-parent --new-session --cap-drop ALL'),
      ...words('--ro-bind / / --dev-bind /dev/null /dev/null --proc /proc --'),
      sh,
      '-c',
      `e=$1; shift; "$e" --default-signal=INT 2>&- && echo ${RESETS} >&2; while [ $# -gt 3 ]; do "$0" "$1" "$2" & shift 2; done; exec "$0" "$@"`,
      socat,
      env,
      ...forwards,
      '-dd',
      listen(PROXY_PORT),
      `UNIX-CONNECT:${socket}`,
    ],
    {stdio: ['ignore', 'ignore', 'pipe'], env: {}, detached: true},
  );
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const said = await Promise.race([
    outputUntil(child.stderr, 'listening on'),
    sleep(START_MS, `no answer within ${START_MS / 1000} s`, {ref: false}),
  ]);
  if (!said.includes('listening on')) {
    child.kill('SIGKILL');
    throw new Error(said.trim().split('\n').at(-1));
  }
  child.unref();
  (child.stderr as Readable & {unref?: () => void}).unref?.();
  return {
    exited,
    /** True if `env` can give programs the default behavior for signals back (coreutils 8.31 and newer). */
    resetsSignals: said.includes(RESETS),
    close: () => void child.kill('SIGKILL'),
  };
}

/** What the keeper says of `env`, before it listens. */
const RESETS = 'env resets signals';

/** Returns what a stream says until it has said this, or has ended; drops the rest. */
function outputUntil(stream: Readable, end: string): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const follow = (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes(end)) done();
    };
    function done(): void {
      stream.off('data', follow).resume();
      resolve(said);
    }
    stream.on('data', follow).once('close', done);
  });
}

/** What is not about processes in /proc, and can be written. */
const KERNEL = words('sys sysrq-trigger irq bus fs acpi scsi driver mtrr tty pressure');

/** Returns the mounts of a sandbox, in their order. */
export function plannedMounts(
  {writable, readOnly, pinned}: Workspace,
  {folders, files, within, visible}: HiddenEntries,
  {runtime, home, ...policy}: Pick<SandboxPolicy, 'home' | 'visible'> & {readonly runtime: Runtime},
): readonly PlannedMount[] {
  const at = (paths: readonly string[], isWritable: boolean) =>
    paths.map((path) => ({path, from: path, isWritable}));
  const isInTemporary = (path: string) => TEMPORARY.some((folder) => isWithin(path, folder));
  return [
    ...at(['/'], false),
    // What each command covers with its own; to mount that, bubblewrap needs those of the system.
    ...['/dev', '/proc'].map((path) => ({path, from: path, isWritable: true, isSystem: true as const})),
    ...TEMPORARY.map((path) => ({path, from: runtime.temporary, isWritable: true})),
    ...at([...policy.visible, home].filter(isInTemporary), false),
    ...at(writable, true),
    ...at(pinned, true),
    ...at(readOnly, false),
    ...folders.map((path) => ({path, isWritable: false})),
    ...files.map((path) => ({path, from: runtime.emptyFile, isWritable: false})),
    ...at(visible, false),
    ...at(within, true),
  ];
}

/** Returns bubblewrap's arguments for a command, without the command: what it narrows of the mounts of its sandbox. */
export function commandArguments(
  narrowed: readonly PlannedMount[],
  {cwd, env}: {readonly cwd: string; readonly env: NodeJS.ProcessEnv},
): readonly string[] {
  return [
    ...words('--unshare-user --unshare-pid --unshare-cgroup-try --die-with-parent --cap-drop ALL'),
    ...words(`--uid ${process.getuid?.() ?? 0} --gid ${process.getgid?.() ?? 0}`),
    ...words('--bind / / --dev /dev --proc /proc'),
    // To root, files of the kernel are writable even without capabilities.
    ...KERNEL.flatMap((name) => ['--ro-bind-try', `/proc/${name}`, `/proc/${name}`]),
    ...mountArguments(narrowed),
    '--chdir',
    cwd,
    '--clearenv',
    ...Object.entries({...env, PWD: cwd}).flatMap(([name, value]) =>
      value === undefined ? [] : ['--setenv', name, value],
    ),
  ];
}

/** Signals that end bubblewrap's outer process without a reason of its own: what runs inside decides. */
const PASSED_BY = 'INT TERM HUP QUIT';

interface Wrapped {
  readonly argv: readonly [string, ...string[]];
  readonly programs: Programs;
  readonly namespaces: readonly string[];
  readonly runtime: Runtime;
  /** Where bubblewrap's arguments are written. */
  readonly file: string;
  readonly arguments: readonly string[];
  readonly resetsSignals: boolean;
}

/** Close-on-exec, in the flags of /proc/self/fdinfo. */
const CLOSED = 0o2000000;

/** Returns what this process has inherited, or opened, and every program that it starts would have, too: `exec 200>lock` in the shell that started it. */
function inheritedDescriptors(): readonly number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => {
      try {
        const [, flags = ''] =
          /(?<![^\n])flags:\s+(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
        return fd > 2 && (Number.parseInt(flags, 8) & CLOSED) === 0;
      } catch {
        // It was that of the listing.
        return false;
      }
    });
}

/**
 * Returns the shell that can close all of them, with the words for it. Others than bash know descriptors of one digit only, and bash runs `.bashrc` where its
 * stdin is a socket, as a pipe of Node's is.
 */
function closing({sh, bash}: Programs): {
  readonly shell: readonly [string, ...string[]];
  readonly words: string;
} {
  const open = inheritedDescriptors();
  const isShort = open.every((fd) => fd < 10);
  if (!isShort && bash === '')
    throw new Error(`acp-tui was started with open files (${open.join(', ')}), which only bash can close`);
  return {shell: isShort ? [sh] : [bash, '--norc'], words: open.map((fd) => `${fd}<&-`).join(' ')};
}

/** Returns arguments as bubblewrap reads them. One with a NUL in it would be several: mounts, for example. */
function terminated(given: readonly string[]): string {
  if (given.some((each) => each.includes('\0')))
    throw new Error('a variable or path has a NUL character, which no program can get');
  return given.map((each) => `${each}\0`).join('');
}

/**
 * Returns the command that runs another one inside. Arguments and environment are in a file, as a command line can be read by other users, and is limited. A
 * shell opens it and the filter, whatever starts the command.
 */
export function sandboxedCommand(options: Wrapped): readonly [string, ...string[]] {
  const {argv, programs, namespaces, runtime, file, resetsSignals} = options;
  writeFileSync(file, terminated(options.arguments), {mode: 0o600});
  const {sh, nsenter, bwrap, env} = programs;
  const {shell, words: closed} = closing(programs);
  const trap = resetsSignals ? `trap '' ${PASSED_BY}; ` : '';
  const reset = resetsSignals ? [env, `--default-signal=${PASSED_BY.replaceAll(' ', ',')}`] : [];
  // env would take a program with = in its path for a variable.
  const program = argv[0].includes('=') ? [sh, '-c', 'exec "$0" "$@"', ...argv] : argv;
  return [
    ...shell,
    '-c',
    `${trap}exec ${closed} 8<"$1" 9<"$2"; shift 2; exec "$@"`,
    'sandbox',
    file,
    runtime.filter,
    nsenter,
    ...namespaces,
    '--preserve-credentials',
    '--',
    bwrap,
    ...words('--args 8 --seccomp 9 --'),
    ...reset,
    ...program,
  ];
}

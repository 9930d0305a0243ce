import {execFile, spawn} from 'node:child_process';
import {closeSync, openSync, readFileSync} from 'node:fs';
import type {Readable, Writable} from 'node:stream';
import {text} from 'node:stream/consumers';
import {promisify} from 'node:util';
import {setTimeout as sleep} from 'node:timers/promises';
import {isMounted, mountProblem, parseMounts, type Mount, type PlannedMount} from './mount-table.ts';
import {settledWithin} from '../shared/timers/settled-within.ts';
import {processExists} from '../shared/processes/process-identity.ts';
import type {Programs} from './programs.ts';

/** Namespaces that all commands of a sandbox share: its mounts, and so that a server that one starts is there for the others. As in /proc, and for `nsenter`. */
const SHARED = {user: 'user', net: 'net', ipc: 'ipc', uts: 'uts', mnt: 'mount'} as const;

interface Namespaces {
  /** All of them, for `nsenter`: held open, so that another process of the same id cannot take their place. */
  readonly all: readonly string[];
  /** Those without the mounts. */
  readonly network: readonly string[];
  close(): void;
}

/** How long it may take to start, and then to mount all; how long its end is waited for; and how often it is looked whether it is, in milliseconds. */
const MADE_MS = 10_000;
const END_MS = 1000;
const POLL_MS = 2;

/** It waits for an input that never comes, and there is no such program: nothing runs inside while the mounts are read back. The user is root there, who may mount. */
const MAKING =
  '--unshare-user --uid 0 --gid 0 --unshare-net --unshare-ipc --unshare-uts --unshare-pid --die-with-parent --cap-drop ALL --args 3 --info-fd 4 --block-fd 5 -- /nothing';

/**
 * Makes the namespaces of a sandbox with its mounts, once, and reads the mounts back before anything is started in them: a program that may write a folder can
 * replace it by a link while it is mounted. What is mounted for a command later can only take away. Throws if one differs from the plan.
 */
export async function openNamespaces(
  programs: Programs,
  planned: readonly PlannedMount[],
  madeMs = MADE_MS,
): Promise<Namespaces> {
  const child = spawn(programs.bwrap, MAKING.split(' '), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    env: {},
    detached: true,
  });
  const exited = new Promise<void>((resolve) =>
    child.once('close', () => resolve()).once('error', () => resolve()),
  );
  const [said, given, info] = child.stdio.slice(2) as unknown as [Readable, Writable, Readable];
  for (const pipe of child.stdio) pipe?.on('error', () => {});
  const problem = text(said);
  given.end(
    mountArguments(planned)
      .map((each) => `${each}\0`)
      .join(''),
  );
  let pid = 0;
  try {
    const known = await settledWithin(text(info), madeMs);
    if (known === undefined) throw new Error(`it did not start within ${madeMs / 1000} s`);
    pid = Number(/"child-pid": (\d+)/.exec(known)?.[1] ?? 0);
    const differs = pid > 0 ? await differenceOf(pid, planned, programs) : '';
    if (differs === undefined) return holding(pid);
    throw new Error(
      differs === '' ? ((await settledWithin(problem, END_MS)) ?? '').trim().split('\n').at(-1) : differs,
    );
  } finally {
    // It is not the outer process that waits.
    if (pid > 0) killIfThere(pid);
    child.kill('SIGKILL');
    // What waits for a file system that no longer answers cannot be killed.
    await settledWithin(exited, END_MS);
  }
}

/** Returns what differs from the plan, once all is mounted; undefined if nothing does, '' if the process is gone. */
async function differenceOf(
  pid: number,
  planned: readonly PlannedMount[],
  programs: Programs,
): Promise<string | undefined> {
  const until = performance.now() + MADE_MS;
  const [root] = planned;
  for (;;) {
    const [mounted, outside] = [mountsOf(pid), mountsOf('self')];
    // Between two roots it sees no mounts for a moment.
    if (mounted.length === 0 && !processExists(pid)) return '';
    const last = planned.findLast(({path}) => path === '/tmp') ?? root;
    // It moves into the mounts once they are complete; before, it sees them elsewhere.
    if (last && isMounted(last, mounted, outside)) {
      await separate(pid, programs);
      return mountProblem(planned, mountsOf(pid), mountsOf('self'));
    }
    if (performance.now() > until) return `nothing was mounted within ${MADE_MS / 1000} s`;
    await sleep(POLL_MS);
  }
}

/** What is mounted outside later, such as a disk that is plugged in, would be mounted inside, too, and could be written. */
async function separate(pid: number, {nsenter, mount}: Programs): Promise<void> {
  const namespaces = [`--user=/proc/${pid}/ns/user`, `--mount=/proc/${pid}/ns/mnt`];
  const command = ['--preserve-credentials', '--', mount, '--make-rprivate', '/'];
  const ended = {timeout: MADE_MS, killSignal: 'SIGKILL'} as const;
  await promisify(execFile)(nsenter, [...namespaces, ...command], {env: {}, ...ended});
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It could not mount all, and has ended.
  }
}

function mountsOf(pid: number | 'self'): readonly Mount[] {
  try {
    return parseMounts(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'));
  } catch {
    return [];
  }
}

function holding(pid: number): Namespaces {
  const open = Object.entries(SHARED).map(
    ([name, option]) => [option, openSync(`/proc/${pid}/ns/${name}`, 'r')] as const,
  );
  const entering = open.map(([option, fd]) => `--${option}=/proc/${process.pid}/fd/${fd}`);
  return {
    all: entering,
    network: entering.filter((option) => !option.startsWith('--mount=')),
    close: () => open.forEach(([, fd]) => closeSync(fd)),
  };
}

/** Returns bubblewrap's arguments for mounts. An empty folder is read-only once all is mounted in it. */
export function mountArguments(planned: readonly PlannedMount[]): readonly string[] {
  const empty = planned.filter(({from}) => from === undefined);
  return [
    ...planned.flatMap(({path, from, isWritable, isSystem}) => {
      if (from === undefined) return ['--tmpfs', path];
      return [isSystem ? '--dev-bind' : isWritable ? '--bind' : '--ro-bind', from, path];
    }),
    ...empty.flatMap(({path}) => ['--remount-ro', path]),
  ];
}

import {randomUUID} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';

/**
 * A process that was started as the leader of its own group (`detached`), and all that came of it.
 * `marker` is the name of an environment variable that only this tree carries: on Linux it finds descendants that
 * left for a session of their own. What also clears its environment there is lost to us.
 */
export interface ProcessTree {
  readonly pid: number;
  readonly marker?: string;
  /** What belonged to it when it was last looked at, and may since have lost its parents and so all trace of them. */
  readonly seen?: readonly number[];
}

export interface EndOptions {
  /** How long SIGTERM has before SIGKILL follows, in milliseconds. */
  readonly graceMs: number;
}

/** A variable of its own for each tree, so that trees inside of trees carry the markers of all that are around them. */
export function createMarker(): string {
  return `ACP_TUI_TREE_${randomUUID().replaceAll('-', '')}`;
}

/** The living processes of the tree, its leader among them. Elsewhere than on Linux, the leader stands for its group. */
export function descendants(tree: ProcessTree): number[] {
  if (process.platform !== 'linux') return groupIsAlive(tree.pid) ? [tree.pid] : [];
  const others = readProcessTable().filter((each) => each.pid !== process.pid);
  const members = new Set<number>();
  for (const {pid, group, session} of others)
    if (pid === tree.pid || group === tree.pid || session === tree.pid || carries(pid, tree.marker))
      members.add(pid);
  for (const {pid} of others) if (tree.seen?.includes(pid)) members.add(pid);
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const {pid, parent} of others) if (members.has(parent)) members.add(pid);
  }
  return others.filter(({pid, zombie}) => members.has(pid) && !zombie).map(({pid}) => pid);
}

/** Sends the signal to everything in the tree, synchronously. SIGKILL looks again until nothing new was forked meanwhile. */
export function killTree(request: ProcessTree & {readonly signal: NodeJS.Signals}): void {
  const {pid, signal} = request;
  // kill(-1) and kill(0) would reach far beyond any tree.
  if (!(pid > 1)) throw new RangeError(`not the pid of a process tree: ${pid}`);
  const signalled = new Set<number>();
  for (let pass = 0; pass < 50; pass += 1) {
    // Looked up before anything dies, since orphans no longer tell whose children they were.
    const fresh = descendants(request).filter((member) => !signalled.has(member));
    const outsideGroup = fresh.filter((member) => groupOf(member) !== pid);
    if (fresh.length > 0) send(-pid, signal);
    for (const member of outsideGroup) send(member, signal);
    for (const member of fresh) signalled.add(member);
    if (fresh.length === 0 || signal !== 'SIGKILL') return;
  }
}

/** SIGTERM, then SIGKILL after the grace. True once nothing of the tree is left; false for what the kernel does not let go of. */
export async function endTree(tree: ProcessTree, {graceMs}: EndOptions): Promise<boolean> {
  killTree({...tree, signal: 'SIGTERM'});
  if (await goneWithin(tree, graceMs)) return true;
  killTree({...tree, signal: 'SIGKILL'});
  return goneWithin(tree, 2000);
}

/** True once nothing of the tree is left, false when something still is after `ms` milliseconds. */
export async function goneWithin(tree: ProcessTree, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    if (descendants(tree).length === 0) return true;
    if (performance.now() >= deadline) return false;
    await delay(pause);
  }
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly zombie: boolean;
}

function readProcessTable(): ProcessRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** `/proc/<pid>/stat` is `pid (name) state parent group session …`, and the name may hold anything, even `)`. */
function readProcess(pid: number): ProcessRow | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  if (session === undefined) return undefined;
  const zombie = state === 'Z' || state === 'X';
  return {pid, parent: Number(parent), group: Number(group), session: Number(session), zombie};
}

function groupOf(pid: number): number | undefined {
  return process.platform === 'linux' ? readProcess(pid)?.group : pid;
}

function carries(pid: number, marker: string | undefined): boolean {
  return marker !== undefined && `\0${readOrNothing(`/proc/${pid}/environ`)}`.includes(`\0${marker}=`);
}

/** Processes come and go, and others' are not ours to read. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function groupIsAlive(pid: number): boolean {
  return send(-pid, 0);
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

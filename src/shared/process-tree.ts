import {randomUUID} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';

/**
 * A process that was started as the leader of its own group (`detached`), and all that came of it.
 * `marker` is the name of an environment variable that only this tree carries: on Linux it finds descendants that left for a
 * session of their own. What also cleared its environment is found while its parents live, and later when it is in `seen`.
 */
interface ProcessTree {
  readonly pid: number;
  readonly marker?: string;
  /** Processes that were found in the tree before. */
  readonly seen?: readonly Member[];
  /** True where what has left for another session, as a browser mostly does, is to be spared. */
  readonly sparesOtherSessions?: boolean;
}

interface Member {
  readonly pid: number;
  /** When it started: with the pid, what no other process has. */
  readonly started: string;
}

interface EndOptions {
  /** How long SIGTERM has before SIGKILL follows, in milliseconds. */
  readonly graceMs: number;
}

/** A variable of its own for each tree, so that trees inside of trees carry the markers of all that are around them. */
export function createMarker(): string {
  return `ACP_TUI_TREE_${randomUUID().replaceAll('-', '')}`;
}

/** Returns the living processes of the tree, including its leader; on systems other than Linux only the leader. */
export function descendants(tree: ProcessTree): readonly Member[] {
  if (process.platform !== 'linux') return groupIsAlive(tree.pid) ? [{pid: tree.pid, started: ''}] : [];
  return members(tree);
}

/**
 * The leader and what it started and still is the parent of. Reads only these processes and not the whole table, so that many
 * trees can be looked at often; what has left the tree is not found.
 */
export function relatedProcesses(pid: number): readonly number[] {
  const found = [pid];
  for (const each of found)
    for (const task of tasksOf(each))
      found.push(
        ...readOrNothing(`/proc/${each}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
      );
  return found;
}

function tasksOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Sends the signal to everything in the tree, synchronously. SIGKILL looks again until nothing new was forked meanwhile. */
export function killTree(request: ProcessTree & {readonly signal: NodeJS.Signals}): void {
  signalTree(request, request.signal);
}

/** SIGTERM, then SIGKILL after the grace. True once nothing of the tree is left; false for what the kernel does not let go of. */
export async function endTree(tree: ProcessTree, {graceMs}: EndOptions): Promise<boolean> {
  const seen = signalTree(tree, 'SIGTERM');
  if (await goneWithin({...tree, seen}, graceMs)) return true;
  killTree({...tree, seen, signal: 'SIGKILL'});
  return goneWithin({...tree, seen}, 2000);
}

/** True while a process is stopped, as with Ctrl+Z; elsewhere than on Linux that is not known. */
export function isStopped(pid: number): boolean {
  return readProcess(pid)?.stopped ?? false;
}

/** SIGINT to the group of a leader, as the driver of a terminal sends it. */
export function interruptGroup(pid: number): void {
  if (!(pid > 1)) throw new RangeError(`not the pid of a process group: ${pid}`);
  send(-pid, 'SIGINT');
}

/** True once nothing of the tree is left, false when something still is after `ms` milliseconds. */
async function goneWithin(tree: ProcessTree, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    if (descendants(tree).length === 0) return true;
    if (performance.now() >= deadline) return false;
    await delay(pause);
  }
}

/** Returns what got the signal; elsewhere than on Linux that is the group, and nothing is returned. */
function signalTree(tree: ProcessTree, signal: NodeJS.Signals): readonly Member[] {
  // kill(-1) and kill(0) would reach far beyond any tree.
  if (!(tree.pid > 1)) throw new RangeError(`not the pid of a process tree: ${tree.pid}`);
  if (process.platform !== 'linux') {
    send(-tree.pid, signal);
    return [];
  }
  const signalled: ProcessRow[] = [];
  for (let pass = 0; pass < 50; pass += 1) {
    // Looked up before anything dies, since orphans no longer tell whose children they were.
    const fresh = members(tree).filter((row) => !has(signalled, row));
    if (fresh.length > 0) send(-tree.pid, signal);
    for (const {pid, group} of fresh) if (group !== tree.pid) send(pid, signal);
    signalled.push(...fresh);
    if (fresh.length === 0 || signal !== 'SIGKILL') break;
  }
  return signalled;
}

function members(tree: ProcessTree): ProcessRow[] {
  const table = readProcessTable();
  const own = table.find(({pid}) => pid === process.pid);
  const ownStart = Number(own?.started ?? 0);
  // Nothing that we started is older than we are; looking into all the others is what takes time.
  const others = table.filter(({pid, started}) => pid !== process.pid && Number(started) >= ownStart);
  const found = new Set<number>();
  for (const row of others) if (belongs(row, tree)) found.add(row.pid);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const {pid, parent} of others) if (found.has(parent)) found.add(pid);
  }
  const isSpared = (row: ProcessRow) => tree.sparesOtherSessions === true && row.session !== own?.session;
  return others.filter((row) => found.has(row.pid) && !row.zombie && !isSpared(row));
}

function belongs(row: ProcessRow, {pid, marker, seen = []}: ProcessTree): boolean {
  return (
    row.pid === pid || row.group === pid || row.session === pid || has(seen, row) || carries(row.pid, marker)
  );
}

function has(members: readonly Member[], {pid, started}: Member): boolean {
  return members.some((member) => member.pid === pid && member.started === started);
}

interface ProcessRow extends Member {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly zombie: boolean;
  readonly stopped: boolean;
}

function readProcessTable(): ProcessRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
}

/** `/proc/<pid>/stat` (proc_pid_stat(5)) is `pid (name) state parent group session …`, and the name may hold anything, even `)`. */
function readProcess(pid: number): ProcessRow | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const started = fields[19];
  if (started === undefined) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    zombie: state === 'Z' || state === 'X',
    stopped: state === 'T',
    started,
  };
}

function carries(pid: number, marker: string | undefined): boolean {
  return marker !== undefined && `\0${readOrNothing(`/proc/${pid}/environ`)}`.includes(`\0${marker}=`);
}

/** Processes come and go, and those of other users cannot be read. */
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

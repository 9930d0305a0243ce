import {randomUUID} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {isOnLeash, type Leash} from './leash.ts';
import {addAll} from '../../text/lists.ts';

/**
 * A process that was started as leader of its own group (`detached`), and its descendants. `marker` is the name of an environment variable unique to this
 * tree: on Linux it identifies descendants that moved to another session. Those that also cleared their environment are found while their parents live, and
 * later if they are in `seen`, or still on the leash.
 */
interface ProcessTree {
  readonly pid: number;
  readonly marker?: string;
  readonly leash?: Leash | undefined;
  /** Members of the tree that were found before. */
  readonly seen?: readonly Member[] | undefined;
  /** True to spare processes that moved to another session, as browsers usually do. */
  readonly sparesOtherSessions?: boolean;
}

interface Member {
  readonly pid: number;
  /** Start time: identifies the process together with the pid. */
  readonly started: string;
}

interface EndOptions {
  /** Time between SIGTERM and SIGKILL, in milliseconds. */
  readonly graceMs: number;
}

/** Returns a new variable name for each tree, so that nested trees carry the markers of all trees around them. */
export function createMarker(): string {
  return `ACP_TUI_TREE_${randomUUID().replaceAll('-', '')}`;
}

/** Returns the living processes of the tree, including its leader; on systems other than Linux only the leader. */
export function descendants(tree: ProcessTree): readonly Member[] {
  if (process.platform !== 'linux') return groupIsAlive(tree.pid) ? [{pid: tree.pid, started: ''}] : [];
  return members(tree);
}

/**
 * Returns the leader and its descendants whose parents still live. Reads only these processes and not the whole table, so that many trees can be polled;
 * processes that left the tree are not found.
 */
export function relatedProcesses(pid: number): readonly number[] {
  const found = [pid];
  for (const each of found)
    for (const task of tasksOf(each))
      addAll(
        found,
        readOrNothing(`/proc/${each}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
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

/** Sends a signal to the whole tree, synchronously. SIGKILL is repeated until no new processes appear. */
export function killTree(request: ProcessTree & {readonly signal: NodeJS.Signals}): void {
  signalTree(request, request.signal);
}

/** Sends SIGTERM, then SIGKILL after the grace period. True once the tree is gone; false if the kernel cannot end a process. */
export async function endTree(tree: ProcessTree, {graceMs}: EndOptions): Promise<boolean> {
  const seen = signalTree(tree, 'SIGTERM');
  if (seen?.length === 0) return true;
  if (await goneWithin({...tree, seen}, graceMs)) return true;
  killTree({...tree, seen, signal: 'SIGKILL'});
  return goneWithin({...tree, seen}, 2000);
}

/** True if a process is stopped, as by Ctrl+Z; always false on systems other than Linux. */
export function isStopped(pid: number): boolean {
  return readProcess(pid)?.stopped ?? false;
}

/** Sends SIGINT to the process group, as the terminal driver does. */
export function interruptGroup(pid: number): void {
  if (!(pid > 1)) throw new RangeError(`not the pid of a process group: ${pid}`);
  send(-pid, 'SIGINT');
}

/** True once the tree is gone, false if a process is still alive after `ms` milliseconds. */
async function goneWithin(tree: ProcessTree, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    if (descendants(tree).length === 0) return true;
    if (performance.now() >= deadline) return false;
    await delay(pause);
  }
}

/** Returns the processes that got the signal; undefined on systems other than Linux, where the group gets it. */
function signalTree(tree: ProcessTree, signal: NodeJS.Signals): readonly Member[] | undefined {
  // kill(-1) and kill(0) would signal processes far outside the tree.
  if (!(tree.pid > 1)) throw new RangeError(`not the pid of a process tree: ${tree.pid}`);
  if (process.platform !== 'linux') {
    send(-tree.pid, signal);
    return undefined;
  }
  const signalled: ProcessRow[] = [];
  // Two passes that find nothing: in the middle of an exec, a process has no environment by which it could be found.
  for (let pass = 0, empty = 0; pass < 50 && empty < 2; pass += 1) {
    const newest = newestPid();
    // Found before anything exits, since orphans no longer reveal their parents.
    const fresh = members(tree).filter((row) => !has(signalled, row));
    if (fresh.length > 0) send(-tree.pid, signal);
    for (const {pid, group} of fresh) if (group !== tree.pid) send(pid, signal);
    addAll(signalled, fresh);
    if (signal !== 'SIGKILL') break;
    addAll(fresh, killNewer(tree, newest));
    empty = fresh.length === 0 ? empty + 1 : 0;
  }
  return signalled;
}

/**
 * Kills the tree's processes that are newer than this one, and returns them. One that starts another and ends is gone before the whole table is read, but not
 * before this short end of it is.
 */
function killNewer(tree: ProcessTree, newest: number): readonly ProcessRow[] {
  const killed: ProcessRow[] = [];
  for (let from = newest, to = newestPid(); to > from; from = to, to = newestPid())
    for (let pid = from + 1; pid <= to; pid += 1) {
      const row = readProcess(pid);
      if (!row || row.zombie || tree.sparesOtherSessions === true || !belongs(row, tree)) continue;
      send(pid, 'SIGKILL');
      killed.push(row);
    }
  return killed;
}

/** Returns the process ID that was given last. */
function newestPid(): number {
  return Number(readOrNothing('/proc/loadavg').split(' ')[4]);
}

function members(tree: ProcessTree): ProcessRow[] {
  const table = readProcessTable();
  const own = table.find(({pid}) => pid === process.pid);
  const ownStart = Number(own?.started ?? 0);
  // Descendants can't be older than this process; reading all the others would take time.
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

function belongs(row: ProcessRow, {pid, marker, leash, seen = []}: ProcessTree): boolean {
  return (
    row.pid === pid ||
    row.group === pid ||
    row.session === pid ||
    has(seen, row) ||
    carries(row.pid, marker) ||
    (leash !== undefined && isOnLeash(row.pid, leash))
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

/** `/proc/<pid>/stat` (proc_pid_stat(5)) is `pid (name) state parent group session …`, and the name may contain anything, even `)`. */
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

/** Processes come and go, and those of other users are unreadable. */
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

import {createHash} from 'node:crypto';
import {readdirSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {looseObject, readRefs, storeObject, storeRef} from './objects.ts';
import type {SnapshotRepository} from './repository.ts';
import {minOf} from '../text/lists.ts';

/** What a snapshot was taken for. */
const record = z.object({
  /** The agent's id. */
  session: z.string(),
  turn: z.number(),
  /** Before the turn's prompt, after the turn, before files were restored, or the accepted state. */
  when: z.enum(['before', 'after', 'saved', 'accepted']),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** When the turn's prompt was submitted, which may have waited for hooks for minutes. */
  promptAt: z.optional(z.number()),
});
export type SnapshotRecord = z.infer<typeof record>;

export interface StoredSnapshot extends SnapshotRecord {
  /** The id of its tree, see `takeSnapshot`. */
  readonly id: string;
}

/**
 * Returns the turn of what changed between a snapshot and the next one of its session; undefined if that was between turns. A turn without a snapshot of its
 * start counts if it lies between. Without a next one, `last` is the session's last turn.
 */
export function turnBetween(
  {turn, when}: Pick<SnapshotRecord, 'turn' | 'when'>,
  next: Pick<SnapshotRecord, 'turn' | 'when'> | undefined,
  last = turn,
): number | undefined {
  if (when === 'before') return turn;
  const newest = next === undefined ? last : next.when === 'before' ? next.turn - 1 : next.turn;
  return newest > turn ? newest : undefined;
}

/** The turns of a session. */
export interface TurnRange {
  /** The last one, which may still be running. */
  readonly turn: number;
  /** Not the first of its window if others were opened there before. Undefined: the first one that has a snapshot. */
  readonly firstTurn?: number;
}

/** Returns the turns of a session whose beginning or end is in no snapshot. */
export function turnsWithoutSnapshot(
  snapshots: readonly SnapshotRecord[],
  {turn: last, firstTurn}: TurnRange,
): readonly number[] {
  const turnsOf = (wanted: SnapshotRecord['when']) =>
    new Set(snapshots.filter(({when}) => when === wanted).map(({turn}) => turn));
  const [begun, ended] = [turnsOf('before'), turnsOf('after')];
  const first = firstTurn ?? minOf([...begun, ...ended], last + 1);
  const turns = Array.from({length: last + 1 - first}, (_, index) => first + index);
  return turns.filter((turn) => !begun.has(turn) || (turn < last && !ended.has(turn)));
}

/** Returns what a list of uncovered files says about turns: `turns 1–3`. */
export function uncoveredTurns(
  turns: readonly number[],
): readonly {readonly path: string; readonly reason: string}[] {
  const firsts = turns.filter((turn) => !turns.includes(turn - 1));
  const lasts = turns.filter((turn) => !turns.includes(turn + 1));
  return firsts.map((first, index) => {
    const last = lasts[index] ?? first;
    return {path: first === last ? `turn ${first}` : `turns ${first}–${last}`, reason: 'no snapshot'};
  });
}

const ROOT = 'refs/sessions';
const DAY_MS = 24 * 60 * 60_000;

/** Stores a snapshot: a commit referenced by its session. Returns the name of the reference. */
export async function storeSnapshot(
  {gitDir}: SnapshotRepository,
  id: string,
  {session, turn, when, at, promptAt}: SnapshotRecord,
): Promise<string> {
  const message = JSON.stringify({session, turn, when, at, promptAt} satisfies SnapshotRecord);
  const author = `acp-tui <acp-tui@localhost> ${Math.floor(Date.now() / 1000)} +0000`;
  const content = `tree ${id}\nauthor ${author}\ncommitter ${author}\n\n${message}`;
  const commit = await storeObject(gitDir, 'commit', content);
  // Two windows may accept different changes in the same millisecond.
  const ref = `${refsOf(session)}/${at}-${turn}-${when}${when === 'accepted' ? `-${commit.slice(0, 12)}` : ''}`;
  await storeRef(gitDir, ref, commit);
  return ref;
}

/** Forgets a stored snapshot. */
export async function removeSnapshot({git}: SnapshotRepository, ref: string): Promise<void> {
  await git(['update-ref', '-d', ref]);
}

/** Returns the snapshots of a session, or of all sessions, oldest first. */
export async function listSnapshots(
  repository: SnapshotRepository,
  session?: string,
): Promise<readonly StoredSnapshot[]> {
  return (await listStored(repository, session)).snapshots;
}

/** Returns the snapshots and the accepted states, oldest first: each of these is a snapshot with everything accepted by then. */
export async function listStored(
  repository: SnapshotRepository,
  session?: string,
): Promise<{readonly snapshots: readonly StoredSnapshot[]; readonly accepted: readonly StoredSnapshot[]}> {
  const all = await listAll(repository, session);
  return {
    snapshots: all.filter(({when}) => when !== 'accepted'),
    accepted: all.filter(({when}) => when === 'accepted'),
  };
}

/** Snapshots that were read, by commit: a folder has thousands, and each turn lists them. */
const known = new Map<string, StoredSnapshot>();

async function listAll(repository: SnapshotRepository, session?: string): Promise<readonly StoredSnapshot[]> {
  const below = session === undefined ? ROOT : refsOf(session);
  const commits = await readRefs(repository.gitDir, below);
  const found = await Promise.all(commits?.map((commit) => snapshotOf(repository, commit)) ?? []);
  const all = !commits || found.includes(undefined) ? await allSnapshots(repository, below) : found;
  return all.filter((snapshot) => snapshot !== undefined).sort((one, other) => one.at - other.at);
}

/** Undefined if its commit is packed or damaged. */
async function snapshotOf({gitDir}: SnapshotRepository, commit: string): Promise<StoredSnapshot | undefined> {
  const read = known.get(commit);
  if (read) return read;
  const content = await looseObject(gitDir, 'commit', commit);
  if (!content) return undefined;
  const text = content.toString('utf8');
  return noted(commit, text.slice('tree '.length, text.indexOf('\n')), text.slice(text.indexOf('\n\n')));
}

async function allSnapshots(repository: SnapshotRepository, below: string): Promise<StoredSnapshot[]> {
  const list = (...refs: readonly string[]) =>
    repository.git(['for-each-ref', '--format=%(objectname) %(tree) %(contents:subject)', ...refs]);
  // It fails if a single one is damaged.
  const listed = await list(below).catch(async () => {
    const readable = await readableRefs(repository, below);
    return readable.length === 0 ? Buffer.alloc(0) : list(...readable);
  });
  const lines = listed.toString('utf8').split('\n').slice(0, -1);
  return lines.map((line) => noted(line.slice(0, 40), line.slice(41, 81), line.slice(82)));
}

function noted(commit: string, id: string, message: string): StoredSnapshot {
  const snapshot = {...record.parse(JSON.parse(message)), id};
  known.set(commit, snapshot);
  return snapshot;
}

async function readableRefs({git}: SnapshotRepository, below: string): Promise<readonly string[]> {
  const format = '--format=%(objectname) %(refname)';
  const listed = (await git(['for-each-ref', format, below])).toString('utf8').split('\n').slice(0, -1);
  const refs = listed.map((line): [string, string] => [line.slice(0, 40), line.slice(41)]);
  const input = refs.map(([id]) => `${id}\n`).join('');
  const found = (await git(['cat-file', '--batch-check'], {input})).toString('utf8').split('\n');
  return refs.filter((_, index) => found[index]?.includes(' commit ')).map(([, ref]) => ref);
}

interface PruneOptions {
  readonly keepDays: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal?: AbortSignal;
}

/** Time limit for packing, in milliseconds. */
const MAX_GC_MS = 30 * 60_000;

/** Deletes snapshots older than a number of days, except the newest, and packs the repository if that saves space. */
export async function pruneSnapshots(
  {git, gitDir}: SnapshotRepository,
  {keepDays, now, signal}: PruneOptions,
): Promise<void> {
  const refs = (await git(['for-each-ref', '--format=%(refname)', ROOT]))
    .toString('utf8')
    .split('\n')
    .slice(0, -1);
  const timeOf = (ref: string) => Number(/\/(\d+)-[^/]*$/.exec(ref)?.[1] ?? now);
  const [, ...others] = refs.sort((one, other) => timeOf(other) - timeOf(one));
  const old = others.filter((ref) => timeOf(ref) < now - keepDays * DAY_MS);
  if (old.length > 0)
    await git(['update-ref', '--stdin'], {input: old.map((ref) => `delete ${ref}\n`).join('')});
  const index = readdirSync(gitDir).find((name) => name.startsWith('index-'));
  const options = {signal, timeoutMs: MAX_GC_MS, ...(index !== undefined && {index: join(gitDir, index)})};
  await git(['gc', '--auto', '--quiet'], options);
}

/** Removes objects that a power cut or a faulty disk has emptied: git would not write them again. */
export function removeEmptyObjects({gitDir}: SnapshotRepository): void {
  const objects = join(gitDir, 'objects');
  for (const name of readdirSync(objects, {recursive: true, encoding: 'utf8'})) {
    const path = join(objects, name);
    if (LOOSE_OBJECT.test(name) && statSync(path).size === 0) rmSync(path, {force: true});
  }
}

const LOOSE_OBJECT = /^[0-9a-f]{2}[/\\][0-9a-f]{38}$/;

/** Hashed, since an agent's id may be any text. */
function refsOf(session: string): string {
  return `${ROOT}/${createHash('sha256').update(session).digest('hex').slice(0, 24)}`;
}

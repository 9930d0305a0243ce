import {createHash} from 'node:crypto';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import type {SnapshotRepository} from './repository.ts';

/** What a snapshot was taken for. */
const record = z.object({
  /** The agent's id. */
  session: z.string(),
  turn: z.number(),
  /** Before the turn's prompt, after the turn, before files were restored, or the accepted state. */
  when: z.enum(['before', 'after', 'saved', 'accepted']),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type SnapshotRecord = z.infer<typeof record>;

export interface StoredSnapshot extends SnapshotRecord {
  /** The id of its tree, see `takeSnapshot`. */
  readonly id: string;
}

const ROOT = 'refs/sessions';
const DAY_MS = 24 * 60 * 60_000;

/** Stores a snapshot: a commit referenced by its session. Returns the name of the reference. */
export async function storeSnapshot(
  {git}: SnapshotRepository,
  id: string,
  {session, turn, when, at}: SnapshotRecord,
): Promise<string> {
  const message = JSON.stringify({session, turn, when, at} satisfies SnapshotRecord);
  const commit = (await git(['commit-tree', id], {input: message})).toString('latin1').trim();
  // Two windows may accept different changes in the same millisecond.
  const ref = `${refsOf(session)}/${at}-${turn}-${when}${when === 'accepted' ? `-${commit.slice(0, 12)}` : ''}`;
  await git(['update-ref', ref, commit]);
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
  return (await listAll(repository, session)).filter(({when}) => when !== 'accepted');
}

/** Returns the accepted states of a session, oldest first: each is a snapshot with everything accepted by then. */
export async function listAccepted(
  repository: SnapshotRepository,
  session: string,
): Promise<readonly StoredSnapshot[]> {
  return (await listAll(repository, session)).filter(({when}) => when === 'accepted');
}

async function listAll({git}: SnapshotRepository, session?: string): Promise<readonly StoredSnapshot[]> {
  const format = '--format=%(tree) %(contents:subject)';
  const listed = await git(['for-each-ref', format, session === undefined ? ROOT : refsOf(session)]);
  return listed
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const space = line.indexOf(' ');
      const {session: of, turn, when, at} = record.parse(JSON.parse(line.slice(space + 1)));
      return {id: line.slice(0, space), session: of, turn, when, at};
    })
    .sort((one, other) => one.at - other.at);
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

/** Hashed, since an agent's id may be any text. */
function refsOf(session: string): string {
  return `${ROOT}/${createHash('sha256').update(session).digest('hex').slice(0, 24)}`;
}

import type {LineCounts} from '../session/line-counts.ts';
import type {UndoneFile, UndoPlan} from '../session/transcript/diffs.ts';
import {settledWithin} from '../shared/settled-within.ts';
import {createRepository, SnapshotProblem, type SnapshotRepository} from './repository.ts';
import {finishRestore} from './restore.ts';
import {
  changedOutside,
  countChanges,
  listPoints,
  planRange,
  restoreRange,
  type RestorePlan,
  type RestoreRange,
  type SnapshotPoint,
} from './rewind.ts';
import {pruneSnapshots, storeSnapshot, type SnapshotRecord} from './snapshot-log.ts';
import {createReviewer, type Reviewer} from './review/reviewer.ts';
import {createSnapshotQueue, reasonOf, type SnapshotQueue, type Taking} from './snapshot-queue.ts';
import {planUndo, undoTurn} from './undo-turn.ts';

/** Takes snapshots of a session's folder around its turns, and restores them. */
export interface TurnSnapshots {
  /** Takes the first snapshot, which reads the whole folder, so that the one before the first prompt is fast. */
  prepare(): void;
  /** Resolves when the folder was read, or after `maxWaitMs`: then the turn is not covered. */
  beforePrompt(turn: TurnOfSession): Promise<void>;
  /** Returns what the turn changed; undefined if it is not covered. Never rejects. */
  afterTurn(turn: TurnOfSession): Promise<LineCounts | undefined>;
  /** See undo-turn.ts; undefined also if snapshots are off. */
  planUndo(session: string): Promise<UndoPlan | undefined>;
  /** Takes a snapshot before files are overwritten, so that they can be restored; throws a SnapshotProblem. */
  save(turn: TurnOfSession): Promise<void>;
  /** Restores the files that changed in a turn, or only some of them; throws a SnapshotProblem. */
  undo(turn: TurnOfSession, only?: readonly string[]): Promise<readonly UndoneFile[]>;
  /** Returns the snapshots of all sessions of the folder to rewind to, newest first. */
  points(): Promise<readonly SnapshotPoint[]>;
  /** Returns what restoring a snapshot would do; undefined if snapshots are off. Throws a SnapshotProblem. */
  planRewind(to: string): Promise<RewindRange | undefined>;
  /** Restores a snapshot, see `restoreRange`; throws a SnapshotProblem. */
  rewind(range: RestoreRange, only?: readonly string[]): Promise<readonly UndoneFile[]>;
  /** See review/. */
  readonly reviewer: Reviewer;
  /** Cancels running snapshots; resolves when all have ended. */
  close(): Promise<void>;
}

interface RewindRange extends RestorePlan {
  /** The id of a snapshot of the current folder. */
  readonly now: string;
  /** Absolute paths of files that changed outside of the session's turns since. */
  readonly outside: ReadonlySet<string>;
}

type TurnOfSession = Pick<SnapshotRecord, 'session' | 'turn'>;

export interface TurnSnapshotsOptions {
  /** Absolute. */
  readonly folder: string;
  /** Folder for persistent data, absolute. */
  readonly state: string;
  readonly keepDays: number;
  /** Maximum time that a prompt waits for a snapshot, in milliseconds. */
  readonly maxWaitMs?: number;
  /** See `MIN_SLOW_MS`. */
  readonly minSlowMs?: number;
  /** Called with a sentence once if snapshots are off, once if a snapshot could not be taken, and for each turn that is not covered because the folder is large. */
  readonly onOff: (sentence: string) => void;
  readonly log: (level: 'info' | 'warn', text: string) => void;
}

const MAX_WAIT_MS = 300;
/** Minimum duration of a slow read, which only a large folder needs, in milliseconds. A notice reports it. */
const MIN_SLOW_MS = 2000;

export function createTurnSnapshots(options: TurnSnapshotsOptions): TurnSnapshots {
  const {keepDays, maxWaitMs = MAX_WAIT_MS, log} = options;
  const closing = new AbortController();
  const {signal} = closing;
  const open = createOpener(options);
  const queue = createSnapshotQueue({open, onFailed: createFailureReport(options), signal});
  /** The last turn, if it is covered. */
  let begun: {readonly turn: number; readonly taking: Taking} | undefined;
  const uncovered = createUncoveredReport(options, signal);
  /** Resolves when the snapshot before the last prompt is requested, or given up. */
  let beginning: Promise<void> = Promise.resolve();
  /** Resolves when all requested snapshots are stored. */
  let stored: Promise<unknown> = Promise.resolve();

  async function storeNow(taking: Taking, record: SnapshotRecord): Promise<void> {
    const [id, repository] = await Promise.all([taking.id, open()]);
    if (id === undefined || !repository || signal.aborted) throw new SnapshotProblem('no snapshot was taken');
    await storeSnapshot(repository, id, record);
  }

  function store(taking: Taking, record: SnapshotRecord): Promise<void> {
    const storing = storeNow(taking, record);
    const logged = storing.catch((error: unknown) => {
      if (!signal.aborted) log('warn', `a snapshot was not stored: ${reasonOf(error)}`);
    });
    stored = Promise.all([stored, logged]);
    return storing;
  }

  /** Undefined if snapshots are off. */
  async function whenStored<T>(work: (repository: SnapshotRepository) => Promise<T>): Promise<T | undefined> {
    await beginning;
    await stored;
    const repository = await open();
    return repository && !signal.aborted ? work(repository) : undefined;
  }

  async function begin(turn: TurnOfSession): Promise<void> {
    const at = Date.now();
    const taking = queue.takeBeforePrompt();
    await settledWithin(taking.read, maxWaitMs);
    begun = taking.isRead ? {turn: turn.turn, taking} : undefined;
    if (taking.isRead) store(taking, {...turn, when: 'before', at}).catch(ignore);
    else uncovered.begun(turn, taking.read);
  }

  return {
    prepare: () => void queue.take().id.then(() => prune(whenStored, {keepDays, log, signal})),
    beforePrompt: (turn) => (beginning = begin(turn)),
    async afterTurn(turn) {
      const taking = queue.takeAfterTurn();
      store(taking, {...turn, when: 'after', at: Date.now()}).catch(ignore);
      if (begun?.turn !== turn.turn) {
        uncovered.ended(turn);
        return undefined;
      }
      return changesOf(await open(), [begun.taking, taking]).catch(ignore);
    },
    ...restores({whenStored, queue}),
    async save(turn) {
      if (await open()) await store(queue.take(), {...turn, when: 'saved', at: Date.now()});
    },
    reviewer: createReviewer(() => whenStored(async (repository) => repository)),
    async close() {
      closing.abort();
      await queue.settled();
    },
  };
}

/** Logs each failed snapshot, and says so once. */
function createFailureReport({log, onOff}: TurnSnapshotsOptions): (reason: string) => void {
  let isReported = false;
  return (reason) => {
    log('warn', `no snapshot: ${reason}`);
    if (!isReported) onOff(`Review and /rewind do not cover what changes now: ${reason}.`);
    isReported = true;
  };
}

/** Logs each turn that is not covered because the folder was read too slowly; at its end, a notice reports a slow read. */
function createUncoveredReport(
  {minSlowMs = MIN_SLOW_MS, onOff, log}: TurnSnapshotsOptions,
  signal: AbortSignal,
) {
  let last: {readonly turn: number; readonly readingMs: () => number} | undefined;
  return {
    begun({turn}: TurnOfSession, read: Promise<void>): void {
      log('info', `turn ${turn} is not covered by review: reading the folder took too long`);
      const at = Date.now();
      let end: number | undefined;
      void read.then(() => (end = Date.now()));
      last = {turn, readingMs: () => (end ?? Date.now()) - at};
    },
    ended({turn}: TurnOfSession): void {
      if (last?.turn !== turn || last.readingMs() < minSlowMs || signal.aborted) return;
      onOff(`Review and /rewind do not cover turn ${turn}: reading the folder took too long.`);
    },
  };
}

type WhenStored = <T>(work: (repository: SnapshotRepository) => Promise<T>) => Promise<T | undefined>;

async function prune(
  whenStored: WhenStored,
  {keepDays, log, signal}: Pick<TurnSnapshotsOptions, 'keepDays' | 'log'> & {readonly signal: AbortSignal},
): Promise<void> {
  try {
    await whenStored((repository) => pruneSnapshots(repository, {keepDays, now: Date.now(), signal}));
  } catch (error) {
    if (!signal.aborted) log('warn', `old snapshots were not removed: ${reasonOf(error)}`);
  }
}

async function changesOf(
  repository: SnapshotRepository | undefined,
  [before, after]: readonly [Taking, Taking],
): Promise<LineCounts | undefined> {
  const [from, to] = await Promise.all([before.id, after.id]);
  const isCovered = repository && from !== undefined && to !== undefined;
  return isCovered ? countChanges(repository, {from, to}) : undefined;
}

interface Restoring {
  /** Undefined if snapshots are off. */
  readonly whenStored: WhenStored;
  readonly queue: Pick<SnapshotQueue, 'take'>;
}

type Restores = Pick<TurnSnapshots, 'planUndo' | 'undo' | 'points' | 'planRewind' | 'rewind'>;

function restores({whenStored, queue}: Restoring): Restores {
  return {
    planUndo: (session) => whenStored((repository) => planUndo(repository, session)),
    undo: async (turn, only) => (await whenStored((repository) => undoTurn(repository, turn, only))) ?? [],
    points: async () => (await whenStored(listPoints)) ?? [],
    planRewind: (to) =>
      whenStored(async (repository) => {
        const now = await queue.take().id;
        if (now === undefined) throw new SnapshotProblem('no snapshot was taken');
        const [plan, outside] = await Promise.all([
          planRange(repository, {from: now, to}),
          changedOutside(repository, to, now),
        ]);
        return {...plan, now, outside};
      }),
    rewind: async (range, only) =>
      (await whenStored((repository) => restoreRange(repository, range, only))) ?? [],
  };
}

/** Already logged. */
function ignore(): undefined {}

/** Opens the repository once; undefined if that fails, which is reported once. */
function createOpener({
  folder,
  state,
  onOff,
}: TurnSnapshotsOptions): () => Promise<SnapshotRepository | undefined> {
  let opened: Promise<SnapshotRepository | undefined> | undefined;
  return () =>
    (opened ??= openSettled(folder, state).catch((error: unknown) => {
      onOff(`Review is off for this folder: ${reasonOf(error)}.`);
      return undefined;
    }));
}

/** Finishes the restore of a killed window first. */
async function openSettled(folder: string, state: string): Promise<SnapshotRepository> {
  const repository = await createRepository(folder, state);
  await finishRestore(repository);
  return repository;
}

import type {LineCounts} from '../session/line-counts.ts';
import {settledUnless} from '../shared/timers/settled-within.ts';
import type {UndoneFile, UndoPlan} from '../session/transcript/diffs.ts';
import {createRepository, SnapshotProblem, type SnapshotRepository} from './repository.ts';
import {finishRestore} from './restore.ts';
import {
  changedFiles,
  changedOutsideTurns,
  countChanges,
  listPoints,
  planRange,
  restoreRange,
  type RestorePlan,
  type RestoreRange,
  type SnapshotPoint,
} from './rewind.ts';
import {pruneSnapshots, storeSnapshot, type SnapshotRecord} from './snapshot-log.ts';
import {createReviewer, type ReviewedSession, type Reviewer} from './review/reviewer.ts';
import {fileProblem} from '../shared/files/file-failure.ts';
import {createSnapshotQueue, type SnapshotQueue, type Taking} from './snapshot-queue.ts';
import {planUndo, undoTurn} from './undo-turn.ts';

/** Takes snapshots of a session's folder around its turns, and restores them. */
export interface TurnSnapshots {
  /** Takes the first snapshot, which reads the whole folder, so that the one before the first prompt is fast. */
  prepare(): void;
  /** Resolves when the folder was read, or when `skipped` is aborted. Returns why the turn is not covered, as part of a sentence; undefined also if snapshots are off. */
  beforePrompt(turn: PromptedTurn, skipped: AbortSignal): Promise<string | undefined>;
  /** Returns what the turn changed, or why that is not known; undefined if `beforePrompt` has said why. Never rejects. */
  afterTurn(turn: TurnOfSession): Promise<LineCounts | string | undefined>;
  /** See `changedFiles`: since the last prompt. Undefined if that is not known. */
  changedFiles(): Promise<ReadonlyMap<string, boolean> | undefined>;
  /** See undo-turn.ts; undefined also if snapshots are off. */
  planUndo(session: ReviewedSession): Promise<UndoPlan | undefined>;
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
type PromptedTurn = TurnOfSession & Pick<SnapshotRecord, 'promptAt'>;

export interface TurnSnapshotsOptions {
  /** Absolute. */
  readonly folder: string;
  /** Folder for persistent data, absolute. */
  readonly state: string;
  readonly keepDays: number;
  /** Called with a sentence once if snapshots are off. */
  readonly onOff: (sentence: string) => void;
  readonly log: (level: 'info' | 'warn', text: string) => void;
}

export function createTurnSnapshots(options: TurnSnapshotsOptions): TurnSnapshots {
  const {keepDays, log} = options;
  const closing = new AbortController();
  const {signal} = closing;
  const open = createOpener(options);
  const queue = createSnapshotQueue({open, signal, onFailed: (why) => log('warn', `no snapshot: ${why}`)});
  /** The last turn, if it is covered. */
  let begun: {readonly turn: number; readonly taking: Taking} | undefined;
  /** Resolves when the snapshot before the last prompt is requested, or given up. */
  let beginning: Promise<unknown> = Promise.resolve();
  const {store, stored} = createStore({open, log, signal});
  const now = createSteadyClock();

  /** Undefined if snapshots are off. */
  async function whenStored<T>(work: (repository: SnapshotRepository) => Promise<T>): Promise<T | undefined> {
    await beginning;
    await stored();
    const repository = await open();
    return repository && !signal.aborted ? work(repository) : undefined;
  }

  async function begin(turn: PromptedTurn, skipped: AbortSignal): Promise<string | undefined> {
    const at = now();
    const taking = queue.takeBeforePrompt();
    await settledUnless(taking.read, skipped);
    begun = undefined;
    if (!taking.isRead) return 'it was sent without a snapshot';
    if (taking.problem !== undefined) return taking.problem;
    begun = {turn: turn.turn, taking};
    store(taking, {...turn, when: 'before', at}).catch(ignore);
    return undefined;
  }

  async function changesOf({turn}: TurnOfSession, after: Taking): Promise<LineCounts | string | undefined> {
    if (begun?.turn !== turn) return undefined;
    const {taking: before} = begun;
    const [from, to, repository] = await Promise.all([before.id, after.id, open()]);
    if (!repository || signal.aborted) return undefined;
    if (from === undefined || to === undefined)
      return before.problem ?? after.problem ?? 'no snapshot was taken';
    return countChanges(repository, [{from, to}]).then(([counts]) => counts, fileProblem);
  }

  return {
    prepare: () => void queue.take().id.then(() => prune(whenStored, {keepDays, log, signal})),
    beforePrompt(turn, skipped) {
      const covering = begin(turn, skipped);
      beginning = covering;
      return covering;
    },
    afterTurn(turn) {
      const taking = queue.takeAfterTurn();
      store(taking, {...turn, when: 'after', at: now()}).catch(ignore);
      return changesOf(turn, taking);
    },
    changedFiles: () => changedSince(begun?.taking, {open, queue}),
    ...restores({whenStored, queue}),
    async save(turn) {
      if (await open()) await store(queue.take(), {...turn, when: 'saved', at: now()});
    },
    reviewer: createReviewer(() => whenStored(async (repository) => repository)),
    async close() {
      closing.abort();
      await queue.settled();
    },
  };
}

async function changedSince(
  before: Taking | undefined,
  {open, queue}: {readonly open: () => Promise<SnapshotRepository | undefined>} & Pick<Restoring, 'queue'>,
): Promise<ReadonlyMap<string, boolean> | undefined> {
  const [from, to, repository] = await Promise.all([before?.id, before && queue.take().id, open()]);
  if (!repository || from === undefined || to === undefined) return undefined;
  return changedFiles(repository, {from, to}).catch(ignore);
}

/** Returns a clock that goes on when the system's is set back, in milliseconds since the epoch. */
function createSteadyClock(): () => number {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + 1);
    return last;
  };
}

interface Store {
  /** Stores a snapshot once it is taken; rejects if there is none. A failure is logged. */
  readonly store: (taking: Taking, record: SnapshotRecord) => Promise<void>;
  /** Resolves when all requested snapshots are stored. */
  readonly stored: () => Promise<unknown>;
}

function createStore({
  open,
  log,
  signal,
}: Pick<TurnSnapshotsOptions, 'log'> & {
  readonly open: () => Promise<SnapshotRepository | undefined>;
  readonly signal: AbortSignal;
}): Store {
  let stored: Promise<unknown> = Promise.resolve();

  async function storeNow(taking: Taking, record: SnapshotRecord): Promise<void> {
    const [id, repository] = await Promise.all([taking.id, open()]);
    if (id === undefined || !repository || signal.aborted) throw new SnapshotProblem('no snapshot was taken');
    await storeSnapshot(repository, id, record);
  }

  return {
    store(taking, record) {
      const storing = storeNow(taking, record);
      const logged = storing.catch((error: unknown) => {
        if (!signal.aborted) log('warn', `a snapshot was not stored: ${fileProblem(error)}`);
      });
      stored = Promise.all([stored, logged]);
      return storing;
    },
    stored: () => stored,
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
    if (!signal.aborted) log('warn', `old snapshots were not removed: ${fileProblem(error)}`);
  }
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
          changedOutsideTurns(repository, to, now),
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
      onOff(`Review is off for this folder: ${fileProblem(error)}.`);
      return undefined;
    }));
}

/** Finishes the restore of a killed window first. */
async function openSettled(folder: string, state: string): Promise<SnapshotRepository> {
  const repository = await createRepository(folder, state);
  await finishRestore(repository);
  return repository;
}

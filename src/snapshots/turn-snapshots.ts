import {settledWithin} from '../shared/settled-within.ts';
import {createRepository, SnapshotProblem, type SnapshotRepository} from './repository.ts';
import {pruneSnapshots, storeSnapshot, type SnapshotRecord} from './snapshot-log.ts';
import {takeSnapshot} from './take-snapshot.ts';

/** Takes snapshots of a session's folder around its turns. */
export interface TurnSnapshots {
  /** Takes the first one, which reads the whole folder, so that the one before the first prompt is fast. */
  prepare(): void;
  /** Resolves when the folder was read, or after `maxWaitMs`: then the turn is not covered. */
  beforePrompt(turn: TurnOfSession): Promise<void>;
  afterTurn(turn: TurnOfSession): void;
  /** Stops what is being taken; resolves when nothing runs any more. */
  close(): Promise<void>;
}

type TurnOfSession = Pick<SnapshotRecord, 'session' | 'turn'>;

export interface TurnSnapshotsOptions {
  /** Absolute. */
  readonly folder: string;
  /** Where acp-tui keeps what has to survive, absolute. */
  readonly state: string;
  readonly keepDays: number;
  /** The longest that a prompt waits for a snapshot, in milliseconds. */
  readonly maxWaitMs?: number;
  /** Told once why there are no snapshots, in one sentence. */
  readonly onOff: (sentence: string) => void;
  readonly log: (level: 'info' | 'warn', text: string) => void;
}

const MAX_WAIT_MS = 300;

interface Taking {
  /** Resolves when everything is read, or nothing will be. */
  readonly read: Promise<void>;
  isRead: boolean;
  /** Undefined when it failed. */
  readonly id: Promise<string | undefined>;
  /** How many prompts were sent when it began: one that began before the last one mixes two states. */
  readonly prompts: number;
}

export function createTurnSnapshots(options: TurnSnapshotsOptions): TurnSnapshots {
  const {keepDays, maxWaitMs = MAX_WAIT_MS, log} = options;
  const closing = new AbortController();
  const {signal} = closing;
  const open = createOpener(options);
  let newest: Taking | undefined;
  let prompts = 0;

  /** Whoever waits for it goes on when it fails. */
  const attempt = <T>(what: string, work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      if (!signal.aborted) log('warn', `${what}: ${reasonOf(error)}`);
      return undefined;
    });

  function take(): Taking {
    const earlier = newest;
    const {promise: read, resolve} = Promise.withResolvers<void>();
    const onRead = () => {
      taking.isRead = true;
      resolve();
    };
    const work = async () => {
      await earlier?.id;
      const repository = await open();
      return repository && takeSnapshot(repository, {signal, onRead});
    };
    const id = attempt('no snapshot', work()).finally(onRead);
    const taking: Taking = {read, isRead: false, id, prompts};
    newest = taking;
    return taking;
  }

  async function store(taking: Taking, record: SnapshotRecord): Promise<void> {
    const [id, repository] = await Promise.all([taking.id, open()]);
    if (id === undefined || !repository || signal.aborted) return;
    await attempt('a snapshot was not stored', storeSnapshot(repository, id, record));
  }

  async function prune(): Promise<void> {
    const repository = await open();
    if (!repository || signal.aborted) return;
    const pruning = pruneSnapshots(repository, {keepDays, now: Date.now(), signal});
    await attempt('old snapshots were not removed', pruning);
  }

  return {
    prepare: () => void take().id.then(prune),
    async beforePrompt(turn) {
      const at = Date.now();
      const taking = newest && !newest.isRead && newest.prompts === prompts ? newest : take();
      await settledWithin(taking.read, maxWaitMs);
      prompts++;
      if (taking.isRead) void store(taking, {...turn, when: 'before', at});
      else log('info', `turn ${turn.turn} is not covered by review: reading the folder took too long`);
    },
    afterTurn: (turn) => void store(take(), {...turn, when: 'after', at: Date.now()}),
    async close() {
      closing.abort();
      await newest?.id;
    },
  };
}

/** Opens the repository once; undefined when that fails, and why is told once. */
function createOpener({
  folder,
  state,
  onOff,
}: TurnSnapshotsOptions): () => Promise<SnapshotRepository | undefined> {
  let opened: Promise<SnapshotRepository | undefined> | undefined;
  return () =>
    (opened ??= createRepository(folder, state).catch((error: unknown) => {
      onOff(`Review is off for this folder: ${reasonOf(error)}.`);
      return undefined;
    }));
}

function reasonOf(error: unknown): string {
  return error instanceof SnapshotProblem ? error.message : String(error);
}

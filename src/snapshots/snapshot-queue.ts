import {fileProblem} from '../shared/files/file-failure.ts';
import type {SnapshotRepository} from './repository.ts';
import {takeSnapshot} from './take/take-snapshot.ts';

export interface Taking {
  /** Resolves when the folder was read, or reading failed. */
  readonly read: Promise<void>;
  isRead: boolean;
  isReading: boolean;
  /** Why it failed, as part of a sentence. */
  problem?: string;
  /** Undefined if it failed. */
  readonly id: Promise<string | undefined>;
}

interface QueueOptions {
  /** Undefined if snapshots are off. */
  readonly open: () => Promise<SnapshotRepository | undefined>;
  readonly signal: AbortSignal;
  /** Called with the reason why a snapshot could not be taken, as part of a sentence. */
  readonly onFailed: (reason: string) => void;
}

/** Takes snapshots one after the other. */
export interface SnapshotQueue {
  take(): Taking;
  takeAfterTurn(): Taking;
  /**
   * Takes a snapshot, or joins the newest if that has not started to read, or was taken after the last turn and is still reading. Any other would lack what the
   * user has changed meanwhile, and the turn would seem to have made these changes.
   */
  takeBeforePrompt(): Taking;
  /** Resolves when no snapshot is being taken. */
  settled(): Promise<void>;
}

export function createSnapshotQueue({open, signal, onFailed}: QueueOptions): SnapshotQueue {
  let newest: Taking | undefined;
  let betweenTurns: Taking | undefined;

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
      taking.isReading = true;
      return repository && takeSnapshot(repository, {signal, onRead});
    };
    const id = work()
      .catch((error: unknown) => {
        taking.problem = fileProblem(error);
        if (!signal.aborted) onFailed(taking.problem);
        return undefined;
      })
      .finally(onRead);
    const taking: Taking = {read, isRead: false, isReading: false, id};
    newest = taking;
    return taking;
  }

  return {
    take,
    takeAfterTurn: () => (betweenTurns = take()),
    takeBeforePrompt() {
      const isJoined = newest && (!newest.isReading || (newest === betweenTurns && !newest.isRead));
      betweenTurns = undefined;
      return newest && isJoined ? newest : take();
    },
    settled: async () => void (await newest?.id),
  };
}

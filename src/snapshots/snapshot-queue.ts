import {SnapshotProblem, type SnapshotRepository} from './repository.ts';
import {takeSnapshot} from './take-snapshot.ts';

export interface Taking {
  /** Resolves when the folder was read, or reading failed. */
  readonly read: Promise<void>;
  isRead: boolean;
  /** Undefined if it failed. */
  readonly id: Promise<string | undefined>;
  /** Number of prompts sent when it started: one that started before the last prompt mixes two states. */
  readonly prompts: number;
}

interface QueueOptions {
  /** Undefined if snapshots are off. */
  readonly open: () => Promise<SnapshotRepository | undefined>;
  readonly signal: AbortSignal;
  readonly log: (level: 'info' | 'warn', text: string) => void;
}

/** Takes snapshots one after the other. */
export interface SnapshotQueue {
  take(): Taking;
  /** The same, or joins one that started after the last prompt and is still reading. */
  takeBeforePrompt(): Taking;
  promptIsSent(): void;
  /** Resolves when no snapshot is being taken. */
  settled(): Promise<void>;
}

export function createSnapshotQueue({open, signal, log}: QueueOptions): SnapshotQueue {
  let newest: Taking | undefined;
  let prompts = 0;

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
    const id = work()
      .catch((error: unknown) => {
        if (!signal.aborted) log('warn', `no snapshot: ${reasonOf(error)}`);
        return undefined;
      })
      .finally(onRead);
    const taking: Taking = {read, isRead: false, id, prompts};
    newest = taking;
    return taking;
  }

  return {
    take,
    takeBeforePrompt: () => (newest && !newest.isRead && newest.prompts === prompts ? newest : take()),
    promptIsSent: () => void prompts++,
    settled: async () => void (await newest?.id),
  };
}

export function reasonOf(error: unknown): string {
  return error instanceof SnapshotProblem ? error.message : String(error);
}

import type {WrittenFile} from '../services.ts';
import type {Contents, StoredContent} from './contents.ts';

/** The change that one turn made to a file through the host; several writes count as one. */
export interface Change {
  readonly turn: number;
  /** Absolute, after symlinks. */
  readonly path: string;
  /** Null if there was no file, undefined if its content is unknown. */
  readonly before: StoredContent | null | undefined;
  readonly after: StoredContent;
  /** True if something else changed the file between two writes of the turn. */
  readonly mixed: boolean;
}

/** Records the writes through the host, by turn. */
export interface Journal {
  /** Later writes belong to this turn. */
  turnStarted(turn: number): void;
  record(written: WrittenFile): Promise<void>;
  /** Changes that were not undone, oldest turn first. */
  all(): readonly Change[];
  /** The net change of each file over all turns. */
  net(): readonly Change[];
  /** Removes a change that was undone. */
  forget(change: Change): void;
  /** True if a path was written in a turn (undefined: in any), even if undone since. */
  wrote(path: string, turn: number | undefined): boolean;
  close(): Promise<void>;
}

/** Turns count from 1; writes before the first belong to turn 0. */
export function createJournal(contents: Contents): Journal {
  let turn = 0;
  const changes = new Map<string, Change>();
  const turnsOf = new Map<string, Set<number>>();
  const keyOf = (change: Pick<Change, 'turn' | 'path'>) => `${change.turn} ${change.path}`;

  return {
    turnStarted(started) {
      turn = started;
    },
    async record({path, before, after}) {
      turnsOf.set(path, (turnsOf.get(path) ?? new Set()).add(turn));
      const change: Change = {
        turn,
        path,
        before: before && (await contents.keep(before)),
        after: await contents.keep(after),
        mixed: false,
      };
      const earlier = changes.get(keyOf(change));
      changes.set(keyOf(change), earlier ? joined(earlier, change) : change);
    },
    all: () => [...changes.values()].toSorted((one, other) => one.turn - other.turn),
    net() {
      const net = new Map<string, Change>();
      for (const change of this.all()) {
        const earlier = net.get(change.path);
        net.set(change.path, earlier ? joined(earlier, change) : change);
      }
      return [...net.values()];
    },
    forget(change) {
      changes.delete(keyOf(change));
    },
    wrote(path, inTurn) {
      const turns = turnsOf.get(path);
      return turns !== undefined && (inTurn === undefined || turns.has(inTurn));
    },
    async close() {
      changes.clear();
      await contents.close();
    },
  };
}

function joined(earlier: Change, later: Change): Change {
  const continues = later.before?.fingerprint === earlier.after.fingerprint;
  return {
    turn: later.turn,
    path: later.path,
    before: earlier.before,
    after: later.after,
    mixed: earlier.mixed || later.mixed || !continues,
  };
}

/** False if the content is the same before and after. */
export function changesAnything({before, after}: Change): boolean {
  return before?.fingerprint !== after.fingerprint;
}

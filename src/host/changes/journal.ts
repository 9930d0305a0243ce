import type {WrittenFile} from '../services.ts';
import type {Contents, Kept} from './contents.ts';

/** The change that one turn made to a file through the host; several writes count as one. */
export interface Change {
  readonly turn: number;
  /** Absolute, after symlinks. */
  readonly path: string;
  /** Null if there was no file, undefined if its content is unknown. */
  readonly before: Kept | null | undefined;
  readonly after: Kept;
  /** True if something else changed the file between two writes of the turn. */
  readonly mixed: boolean;
}

/** The writes through the host, by turn. */
export interface Journal {
  /** What is written from now on belongs to this turn. */
  turnStarted(turn: number): void;
  record(written: WrittenFile): Promise<void>;
  /** The changes that stand, oldest turn first. */
  all(): readonly Change[];
  /** What all turns together made of each file. */
  net(): readonly Change[];
  /** A change was taken back. */
  forget(change: Change): void;
  /** True if a path was written in a turn (undefined: in any), be it taken back since. */
  wrote(path: string, turn: number | undefined): boolean;
  close(): Promise<void>;
}

/** Turns count from 1; what is written before the first belongs to 0. */
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

/** False when a file holds again what it held. */
export function changesAnything({before, after}: Change): boolean {
  return before?.fingerprint !== after.fingerprint;
}

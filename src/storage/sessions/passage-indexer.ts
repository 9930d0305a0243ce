import type {SessionState} from '../../session/state.ts';
import {ancestorsOf, workingSubagents} from '../../session/subagents/tree.ts';
import {findEntry} from '../../session/transcript/transcript.ts';
import type {Sql} from '../database/sqlite.ts';
import {countIndexed, passagesOf, savePassages} from './search-index.ts';
import {minOf} from '../../text/lists.ts';

interface IndexPass {
  readonly state: SessionState;
  readonly slice: number;
  /** Called in the transaction of the last slice. */
  readonly onDone: (sql: Sql) => void;
}

interface IndexerOptions {
  readonly id: string;
  /** Index of its first entry in the transcript in which it is shown. */
  readonly firstEntry: number;
  /** Entries before this index are final; undefined for a session that already has a file. */
  readonly indexed: number | undefined;
  readonly transact: (action: (sql: Sql) => void) => void;
}

/** The number of entries indexed at once, which takes about 10 ms. */
export const SLICE = 500;

/** Keeps the index of a session up to date while it is open. */
export function createPassageIndexer(options: IndexerOptions) {
  const {id, firstEntry, transact} = options;
  let {indexed} = options;
  let nextSlice: NodeJS.Immediate | undefined;

  function startOf(sql: Sql): number {
    return indexed ?? firstEntry + countIndexed(sql, id);
  }

  return {
    /** Indexes the new entries of a state: up to `slice` at once, the others later, between key presses. */
    index(sql: Sql, {state, slice, onDone}: IndexPass): void {
      const start = startOf(sql);
      const saveFrom = (from: number, within: Sql): void => {
        const end = Math.min(from + slice, state.entries.length);
        const passages = passagesOf(state, {first: firstEntry, from, end});
        savePassages(within, {id, from: from - firstEntry}, passages);
        if (end < state.entries.length) {
          nextSlice = setImmediate(() => transact((later) => saveFrom(end, later)));
          return;
        }
        onDone(within);
        // Entries of a running turn may still change.
        indexed = state.turn.kind === 'idle' ? Math.min(end, firstWorking(state)) : start;
      };
      saveFrom(start, sql);
    },
    /** Stops; the next pass indexes the rest. */
    stop: () => clearImmediate(nextSlice),
  };
}

/** Returns the index of the first subagent that works, or has one that does: its text is indexed there. */
function firstWorking(state: SessionState): number {
  const places = workingSubagents(state).map((id) => {
    const top = [...ancestorsOf(state, id)].at(-1);
    const place = top === undefined ? -1 : findEntry(state, 'subagent', top);
    return place === -1 ? Infinity : place;
  });
  return minOf(places);
}

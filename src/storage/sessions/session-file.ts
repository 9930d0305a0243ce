import {type Write, createEventWriter} from './event-writer.ts';
import type {Failure} from '../../shared/failure.ts';
import type {SessionEvent} from '../../session/events.ts';
import type {SessionState} from '../../session/state.ts';
import type {Database} from '../database/database.ts';
import type {Sql} from '../database/sqlite.ts';
import {fileFailed} from '../../shared/files/file-failure.ts';
import {ownIdentity} from '../../shared/processes/process-identity.ts';
import {sessionFile} from './event-file.ts';
import {lineOf, type SessionHeader, type SessionMark} from './event-lines.ts';
import {
  withDoing,
  withMark,
  withState,
  forgetTitle,
  saveDoing,
  saveSession,
  type SessionFacts,
} from './session-table.ts';
import {createPassageIndexer, SLICE} from './passage-indexer.ts';
import {saveTitle} from './search-index.ts';
import {createUsageCounter} from '../usage.ts';

/** The file of a session that is being recorded, with its index entry. */
export interface SessionFile {
  readonly id: string;
  /** Appends a line to its file. */
  append(line: string): void;
  mark(mark: SessionMark): void;
  /** Saves what the session does now for the lists of other windows, and nothing else: it changes twice with every request. */
  saveDoing(state: SessionState): void;
  /** Updates the time of the last activity. */
  touched(at: number): void;
  /** Writes everything and updates the index; the entries of a long turn are indexed soon after. */
  save(state: SessionState): void;
  /** False if the file has not all lines. `isLast`: tries also soon after a failure. */
  flush(isLast?: boolean): boolean;
  /** Counts what the event says is used. */
  countUsage(event: SessionEvent, state: SessionState): void;
  /** Starts a sync; returns at once. */
  sync(): void;
  /** Writes and syncs everything. Without a state, the session is unchanged. */
  close(state: SessionState | undefined): void;
}

export interface SessionFileOptions {
  /** The state folder. */
  readonly state: string;
  readonly database: Database;
  /** Called for everything that cannot be stored. */
  readonly onProblem: (problem: Failure) => void;
  /** The file in which protocol messages are recorded. */
  readonly recordedIn?: string | undefined;
  /** False in print mode. */
  readonly hasUser?: false;
  /** Replaceable for tests. */
  readonly write?: Write;
}

interface SessionFileStart {
  readonly facts: SessionFacts;
  /** Undefined for a session that already has a file. */
  readonly header: SessionHeader | undefined;
  /** Index of its first entry in the transcript in which it is shown. */
  readonly firstEntry: number;
}

export function openSessionFile(start: SessionFileStart, options: SessionFileOptions): SessionFile {
  const {firstEntry, header} = start;
  const {state: folder, onProblem, recordedIn, hasUser, write} = options;
  const {id} = start.facts;
  const path = sessionFile(folder, id);
  const writer = createEventWriter(path, {
    onProblem: (problem) => onProblem(fileFailed(path, problem).failure),
    lost: (lines) => lineOf({mark: 'lost', lines, at: Date.now()}),
    write,
  });
  let facts = start.facts;
  const transact = createTransact(options);
  const passages = createPassageIndexer({id, firstEntry, indexed: header && firstEntry, transact});
  let ownTitle = facts.titledBy === 'user' ? facts.title : undefined;

  function mark(change: SessionMark): void {
    facts = withMark(facts, change);
    writer.append(lineOf(change));
  }

  /** The size is stored in the index only when all entries are indexed: otherwise the next start rereads the file. */
  function save(state: SessionState | undefined, slice: number): void {
    passages.stop();
    writer.flush();
    const bytes = writer.bytes();
    transact((sql) => {
      if (!state) return saveSession(sql, {...facts, bytes});
      facts = withState(facts, state, firstEntry);
      if (state.ownTitle !== ownTitle) forgetTitle(sql, id);
      saveSession(sql, facts);
      saveTitle(sql, id);
      ({ownTitle} = state);
      passages.index(sql, {state, slice, onDone: (later) => saveSession(later, (facts = {...facts, bytes}))});
    });
  }

  if (header) writer.append(lineOf(header));
  mark({mark: 'opened', by: ownIdentity(), ...(hasUser === false && {person: false}), at: Date.now()});
  if (recordedIn !== undefined) mark({mark: 'recorded', file: recordedIn, at: Date.now()});

  return {
    id,
    append: (line) => writer.append(line),
    mark,
    saveDoing(state) {
      const {doing, asks, says} = facts;
      facts = withDoing(facts, state);
      if (facts.doing !== doing || facts.asks !== asks || facts.says !== says)
        transact((sql) => saveDoing(sql, facts));
    },
    touched(at) {
      facts = {...facts, updatedAt: at};
    },
    save: (state) => save(state, SLICE),
    flush: writer.flush,
    countUsage: createUsageCounter(facts.agent.label, transact),
    sync: () => writer.sync(),
    close(state) {
      mark({mark: 'closed', at: Date.now()});
      save(state, Infinity);
      writer.close();
    },
  };
}

/** Returns a function that runs an action in its own transaction, and reports when the index cannot be written. */
function createTransact({database, onProblem}: SessionFileOptions): (action: (sql: Sql) => void) => void {
  return (action) => {
    const done = database.use((sql) => sql.transaction(() => action(sql)));
    if (!done.ok) onProblem(done.failure);
  };
}

import type {Write} from './append-file.ts';
import type {Failure} from '../../failure.ts';
import type {SessionEvent} from '../../session/events.ts';
import type {SessionState} from '../../session/state.ts';
import type {Database} from '../database/database.ts';
import {fileFailure} from '../private-files.ts';
import {ownIdentity} from '../process-identity.ts';
import {sessionFile} from './event-file.ts';
import {lineOf, type Header, type Mark} from './event-lines.ts';
import {createEventWriter} from './event-writer.ts';
import {withMark, withState} from './facts.ts';
import {passagesOf, savePassages, saveTitle} from './passages.ts';
import {saveSession, type SessionFacts} from './rows.ts';

/** One session's file while it is written, and its place in the index. */
export interface Recording {
  readonly id: string;
  write(event: SessionEvent): void;
  /** Writes everything out and tells the index how things stand. */
  save(state: SessionState): void;
  flush(): void;
  /** Lets what was written reach the disk; returns at once. */
  sync(): void;
  branchChanged(branch: string | undefined): void;
  /** Everything is on the disk when this returns. */
  close(state: SessionState): void;
}

export interface RecordingOptions {
  /** The state folder. */
  readonly state: string;
  readonly database: Database;
  /** Told of everything that cannot be stored. */
  readonly onProblem: (problem: Failure) => void;
  /** A test's disk. */
  readonly write?: Write;
}

export interface RecordingStart {
  readonly facts: SessionFacts;
  /** Undefined for a session that has a file already. */
  readonly header: Header | undefined;
  /** Where its entries begin in the transcript that it is shown in. */
  readonly firstEntry: number;
}

export function openRecording(start: RecordingStart, options: RecordingOptions): Recording {
  const {firstEntry, header} = start;
  const {state: folder, database, onProblem, write} = options;
  const {id} = start.facts;
  const path = sessionFile(folder, id);
  const writer = createEventWriter(path, {
    onProblem: (problem) => onProblem(fileFailure(path, problem)),
    lost: (lines) => lineOf({mark: 'lost', lines, at: Date.now()}),
    write,
  });
  let facts = start.facts;
  /** Entries before this one are in the index for good. */
  let indexed = firstEntry;

  function mark(told: Mark): void {
    facts = withMark(facts, told);
    writer.append(lineOf(told));
  }

  function save(state: SessionState): void {
    writer.flush();
    facts = {...withState(facts, state, firstEntry), bytes: writer.bytes()};
    // A story that is told again replaces the transcript.
    if (state.entries.length < indexed) indexed = firstEntry;
    const saved = database.use((sql) =>
      sql.transaction(() => {
        saveSession(sql, facts);
        saveTitle(sql, id);
        savePassages(sql, {id, from: indexed - firstEntry}, passagesOf(state.entries, firstEntry, indexed));
      }),
    );
    if (!saved.ok) onProblem(saved.failure);
    else if (state.turn.kind === 'idle') indexed = state.entries.length;
  }

  if (header) writer.append(lineOf(header));
  mark({mark: 'opened', by: ownIdentity(), at: Date.now()});

  return {
    id,
    write(event) {
      writer.append(lineOf(event));
      if (event.type === 'prompt_started' || event.type === 'prompt_ended')
        facts = {...facts, updatedAt: event.at};
    },
    save,
    flush: () => writer.flush(),
    sync: () => writer.sync(),
    branchChanged(branch) {
      if (branch !== facts.branch) mark({mark: 'branch', branch, at: Date.now()});
    },
    close(state) {
      mark({mark: 'closed', at: Date.now()});
      save(state);
      writer.close();
    },
  };
}

import {randomInt} from 'node:crypto';
import type {SessionEvent, SessionEventOf, SessionEventType} from '../../session/events.ts';
import {isStoredEventType} from '../../session/reduce.ts';
import type {SessionState} from '../../session/state.ts';
import {tryFileOperation} from '../../shared/files/file-failure.ts';
import {readRegularFile, statIfAny} from '../../shared/files/safe-files.ts';
import {existingFile} from './event-file.ts';
import {lineOf, FILE_VERSION, type SessionHeader, parseLine} from './event-lines.ts';
import {type SessionFile, type SessionFileOptions, openSessionFile} from './session-file.ts';
import {isTurn, type SessionFacts, sessionMetaOf} from './session-table.ts';
import type {SessionOrigin} from './stored-session.ts';

/** Records a conversation: one file per session that the agent opens in it. */
export interface Recorder {
  /** acp-tui's id; undefined until there is something to store: a prompt, a command, a replay. */
  id(): string | undefined;
  /** Call it for every event, with the state after it. Never throws on disk errors. */
  follow(event: SessionEvent, state: SessionState): void;
  branchChanged(branch: string | undefined): void;
  /** Writes buffered lines; `isLast`, for abrupt exits, also soon after a failure. False if something could not be written, until it can; for good if it was too much. */
  flush(isLast?: boolean): boolean;
  /** Writes everything synchronously and stops recording. */
  close(): void;
}

/** Events after which the index is updated. */
const TURNING_POINTS: ReadonlySet<SessionEventType> = new Set([
  'agent_initialized',
  'session_opened',
  'prompt_started',
  'prompt_ended',
  'connection_changed',
  'renamed',
]);

/** `known`: the stored session that is resumed. */
export function createRecorder(
  origin: SessionOrigin,
  options: SessionFileOptions,
  known?: SessionFacts,
): Recorder {
  const beginning = createBeginning();
  let firstId = origin.id;
  /** Events that are not in a file yet. */
  let early: SessionEvent[] = [];
  let agentSessionId = known?.agentSessionId;
  let branch = known?.branch;
  let firstEntry = 0;
  let newest: SessionState | undefined;
  let isClosed = false;
  let file = known && continueFile(origin, options, known);
  /** The session that this one copies as soon as it has something to store; dropped when a new session is opened. */
  let original = originalOf(origin, options.state);

  /** The agent has opened another session here: earlier entries belong to it only if it is a copy. */
  function change({how, at}: SessionEventOf<'session_opened'>, state: SessionState): void {
    const copied = how === 'fork' ? file?.id : undefined;
    file?.close(newest);
    file = undefined;
    original = undefined;
    early = beginning.events();
    if (copied === undefined) firstEntry = state.sessionStart;
    else begin(at, linesToCopy(options, {id: copied, bytes: Infinity}));
  }

  function begin(at: number, lines: readonly string[]): void {
    const begun = {at, firstEntry, branch, lines, id: firstId};
    file = original ? createCopy(origin, options, {...begun, original}) : createFile(origin, options, begun);
    early = [];
    original = undefined;
    firstId = undefined;
  }

  return {
    id: () => file?.id,
    follow(event, state) {
      if (isClosed || !isStoredEventType(event.type)) return;
      if (event.type === 'session_opened') {
        const {sessionId: id} = event.session;
        if (agentSessionId ? agentSessionId !== id : original && event.how === 'new') change(event, state);
        agentSessionId = id;
      }
      beginning.note(event);
      newest = state;
      if (file) file.append(lineOf(event));
      else early.push(event);
      if (original ? beginsCopy(event) : early.some(isWorthKeeping))
        begin(early[0]?.at ?? event.at, early.map(lineOf));
      if (file) recordEvent(file, event, state);
    },
    branchChanged(now) {
      if (now !== branch && file) saveBranch(file, now, newest);
      branch = now;
    },
    flush: (isLast) => file?.flush(isLast) ?? true,
    close() {
      file?.close(newest);
      isClosed = true;
    },
  };
}

/** Records an event, and updates the index and syncs after important ones. */
function recordEvent(file: SessionFile, event: SessionEvent, state: SessionState): void {
  if (isTurn(event)) file.touched(event.at);
  if (TURNING_POINTS.has(event.type)) file.save(state);
  else file.saveDoing(state);
  file.countUsage(event, state);
  if (event.type === 'prompt_ended') file.sync();
}

function saveBranch(file: SessionFile, branch: string | undefined, state: SessionState | undefined): void {
  file.mark({mark: 'branch', branch, at: Date.now()});
  if (state) file.save(state);
}

/** A window without any activity stores nothing. */
function isWorthKeeping(event: SessionEvent): boolean {
  return (
    event.type === 'prompt_started' ||
    event.type === 'terminal_created' ||
    event.type === 'imported' ||
    (event.type === 'session_update' && event.update.sessionUpdate === 'user_message_chunk')
  );
}

interface FilePlace {
  /** Time of its first event, in milliseconds since the epoch. */
  readonly at: number;
  /** Index of its first entry in the transcript in which it is shown. */
  readonly firstEntry: number;
  readonly branch: string | undefined;
}

interface NewFile {
  readonly id?: string | undefined;
  readonly lines: readonly string[];
}

/** Creates a file that starts with these lines. */
function createFile(
  {agent, cwd, additionalDirectories}: SessionOrigin,
  options: SessionFileOptions,
  {at, firstEntry, branch, lines, id = newSessionId()}: FilePlace & NewFile,
): SessionFile {
  const header: SessionHeader = {v: FILE_VERSION, id, created: at, agent, cwd, additionalDirectories};
  const begun = openSessionFile({facts: sessionMetaOf(header), header, firstEntry}, options);
  if (branch !== undefined) begun.mark({mark: 'branch', branch, at});
  for (const line of lines) begun.append(line);
  return begun;
}

/** Continues in the file of the session `known`. */
function continueFile(
  {restoredAt}: SessionOrigin,
  options: SessionFileOptions,
  known: SessionFacts,
): SessionFile {
  const continued = openSessionFile({facts: known, header: undefined, firstEntry: 0}, options);
  continued.mark({mark: 'continued', at: restoredAt ?? Date.now()});
  return continued;
}

/** Creates a file as a copy, followed by `lines`. */
function createCopy(
  origin: SessionOrigin,
  options: SessionFileOptions,
  {original, branch, lines, id}: CopyPlace,
): SessionFile {
  const at = origin.restoredAt ?? Date.now();
  const copied = linesToCopy(options, original);
  const copy = createFile(origin, options, {at, firstEntry: 0, branch, lines: copied, id});
  copy.mark({mark: 'continued', at});
  for (const line of lines) copy.append(line);
  return copy;
}

interface CopyPlace extends Pick<FilePlace, 'branch'>, NewFile {
  readonly original: Original;
}

/** Without letters that look like digits. */
const ID_CHARACTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns a new id for a session. */
export function newSessionId(): string {
  return Array.from({length: 10}, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]).join('');
}

/**
 * The first lines of a session's file when the agent opens another session in the same conversation: the agent's properties, its sandbox, where its folders are, and the replay before its
 * response ("Loading Sessions").
 */
function createBeginning() {
  let initialized: SessionEvent | undefined;
  let sandbox: SessionEvent | undefined;
  let folders: SessionEvent | undefined;
  let story: SessionEvent[] | undefined;
  return {
    note(event: SessionEvent): void {
      if (event.type === 'agent_initialized') initialized = event;
      if (event.type === 'sandbox_changed') sandbox = event;
      if (event.type === 'folders_resolved') folders = event;
      if (event.type === 'replay_started') story = [];
      if (event.type === 'session_opened' || event.type === 'replay_dropped') story = undefined;
      story?.push(event);
    },
    events: () => [
      ...[initialized, sandbox, folders].filter((event) => event !== undefined),
      ...(story ?? []),
    ],
  };
}

/** The session to copy as soon as there is something to store. */
interface Original {
  readonly id: string;
  /** Size of its file to copy, since another window may still write to it. */
  readonly bytes: number;
}

function originalOf({copies: id}: SessionOrigin, state: string): Original | undefined {
  if (id === undefined) return undefined;
  return {id, bytes: statIfAny(existingFile(state, id))?.size ?? 0};
}

/** A copy without any activity, which the agent has not forked either, would be a mere duplicate. */
function beginsCopy(event: SessionEvent): boolean {
  return (
    event.type === 'prompt_started' ||
    event.type === 'terminal_created' ||
    (event.type === 'session_opened' && event.how === 'fork')
  );
}

/** Returns the lines at the beginning of a copy: all events, without marks about who had it open. None if it cannot be read, which is reported. */
function linesToCopy({state, onProblem}: SessionFileOptions, {id, bytes}: Original): string[] {
  const path = existingFile(state, id);
  const text = tryFileOperation(path, () => readRegularFile(path));
  if (!text.ok) onProblem(text.failure);
  return Buffer.from(text.ok ? text.value : '')
    .subarray(0, bytes)
    .toString('utf8')
    .split('\n')
    .filter((text) => {
      const line = parseLine(text);
      return line !== undefined && ('type' in line || ('mark' in line && line.mark === 'continued'));
    })
    .map((text) => `${text}\n`);
}

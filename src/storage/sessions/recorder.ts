import {randomInt} from 'node:crypto';
import type {SessionEvent, SessionEventOf, SessionEventType} from '../../session/events.ts';
import type {SessionState} from '../../session/state.ts';
import {readRegularFile, statIfAny} from '../files.ts';
import {lineOf, FILE_VERSION, type Header, sessionFile, parseLine} from './event-file.ts';
import {type Recording, type RecordingOptions, openRecording} from './session-recording.ts';
import {isTurn, type SessionFacts, sessionMetaOf} from './session-table.ts';
import type {SessionOrigin} from './stored-session.ts';

/** Writes down what happens in a conversation: a file for each session that the agent opens in it. */
export interface Recorder {
  /** acp-tui's id; undefined until there is something to store: a prompt, a command, a replay. */
  id(): string | undefined;
  /** Call it for every event, with the state after it. Never throws on disk errors. */
  follow(event: SessionEvent, state: SessionState): void;
  branchChanged(branch: string | undefined): void;
  /** Writes out what waits, for ends that cannot be orderly. */
  flush(): void;
  /** Everything is on the disk when this returns; nothing is recorded afterwards. */
  close(): void;
}

/** After these events the index is updated. */
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
  options: RecordingOptions,
  known?: SessionFacts,
): Recorder {
  const beginning = createRecordingHeader();
  /** What is in no file yet. */
  let early: SessionEvent[] = [];
  let agentSessionId = known?.agentSessionId;
  let branch = known?.branch;
  let firstEntry = 0;
  let newest: SessionState | undefined;
  let isClosed = false;
  let recording = known && continueRecording(origin, options, known);
  /** What this will be a copy of, once something shows that it is one; with a new session it is none. */
  let original = originalOf(origin, options.state);

  /** The agent has opened another session here: what was said before belongs to that only when it is a copy. */
  function change({how, at}: SessionEventOf<'session_opened'>, state: SessionState): void {
    const copied = how === 'fork' ? recording?.id : undefined;
    recording?.close(newest);
    recording = undefined;
    original = undefined;
    early = beginning.events();
    if (copied === undefined) firstEntry = state.sessionStart;
    else begin(at, linesToCopy(options.state, {id: copied, bytes: Infinity}));
  }

  function begin(at: number, lines: readonly string[]): void {
    const begun = {at, firstEntry, branch, lines};
    recording = original
      ? recordCopy(origin, options, {...begun, original})
      : beginRecording(origin, options, begun);
    early = [];
    original = undefined;
  }

  return {
    id: () => recording?.id,
    follow(event, state) {
      if (isClosed) return;
      if (event.type === 'session_opened') {
        const {sessionId: id} = event.session;
        if (agentSessionId ? agentSessionId !== id : original && event.how === 'new') change(event, state);
        agentSessionId = id;
      }
      beginning.note(event);
      newest = state;
      if (recording) recording.append(lineOf(event));
      else early.push(event);
      const isDue = original ? beginsCopy(event) : early.some(isWorthKeeping);
      if (isDue) begin(early[0]?.at ?? event.at, early.map(lineOf));
      if (recording) recordEvent(recording, event, state);
    },
    branchChanged(now) {
      if (now === branch) return;
      branch = now;
      recording?.mark({mark: 'branch', branch, at: Date.now()});
    },
    flush: () => recording?.flush(),
    close() {
      recording?.close(newest);
      isClosed = true;
    },
  };
}

/** Tells the index and the disk what they have to know at once. */
function recordEvent(recording: Recording, event: SessionEvent, state: SessionState): void {
  if (isTurn(event)) recording.touched(event.at);
  if (TURNING_POINTS.has(event.type)) recording.save(state);
  if (event.type === 'prompt_ended') recording.sync();
}

/** A window in which nothing was said leaves nothing behind. */
function isWorthKeeping(event: SessionEvent): boolean {
  return (
    event.type === 'prompt_started' ||
    event.type === 'terminal_created' ||
    event.type === 'imported' ||
    (event.type === 'session_update' && event.update.sessionUpdate === 'user_message_chunk')
  );
}

interface RecordingPlace {
  /** When its first event came, in milliseconds since the epoch. */
  readonly at: number;
  /** Where its entries begin in the transcript that it is shown in. */
  readonly firstEntry: number;
  readonly branch: string | undefined;
}

/** Begins a file with these lines. */
function beginRecording(
  {agent, cwd, additionalDirectories}: SessionOrigin,
  options: RecordingOptions,
  {at, firstEntry, branch, lines}: RecordingPlace & {readonly lines: readonly string[]},
): Recording {
  const header: Header = {v: FILE_VERSION, id: newId(), created: at, agent, cwd, additionalDirectories};
  const begun = openRecording({facts: sessionMetaOf(header), header, firstEntry}, options);
  if (branch !== undefined) begun.mark({mark: 'branch', branch, at});
  for (const line of lines) begun.append(line);
  return begun;
}

/** Goes on in the file of the session that is `known`. */
function continueRecording(
  {restoredAt}: SessionOrigin,
  options: RecordingOptions,
  known: SessionFacts,
): Recording {
  const continued = openRecording({facts: known, header: undefined, firstEntry: 0}, options);
  continued.mark({mark: 'continued', at: restoredAt ?? Date.now()});
  return continued;
}

/** Begins a file as a copy, to which `lines` are added. */
function recordCopy(
  origin: SessionOrigin,
  options: RecordingOptions,
  {original, branch, lines}: CopyPlace,
): Recording {
  const at = origin.restoredAt ?? Date.now();
  const copied = linesToCopy(options.state, original);
  const copy = beginRecording(origin, options, {at, firstEntry: 0, branch, lines: copied});
  copy.mark({mark: 'continued', at});
  for (const line of lines) copy.append(line);
  return copy;
}

interface CopyPlace extends Pick<RecordingPlace, 'branch'> {
  readonly original: Original;
  readonly lines: readonly string[];
}

/** Without letters that look like digits. */
const ID_CHARACTERS = '0123456789abcdefghjkmnpqrstvwxyz';

function newId(): string {
  return Array.from({length: 10}, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]).join('');
}

/**
 * What the file of a session begins with when the agent opens another one in the same conversation: what it said of itself, and
 * the story that it tells before its answer ("Loading Sessions").
 */
interface RecordingHeader {
  note(event: SessionEvent): void;
  events(): SessionEvent[];
}

function createRecordingHeader(): RecordingHeader {
  let initialized: SessionEvent | undefined;
  let story: SessionEvent[] | undefined;
  return {
    note(event) {
      if (event.type === 'agent_initialized') initialized = event;
      if (event.type === 'replay_started') story = [];
      if (event.type === 'session_opened' || event.type === 'replay_dropped') story = undefined;
      story?.push(event);
    },
    events: () => [...(initialized ? [initialized] : []), ...(story ?? [])],
  };
}

/** What something will be a copy of, once it shows that it is one. */
interface Original {
  readonly id: string;
  /** Of its file, as far as it goes into the copy: another window may write to it meanwhile. */
  readonly bytes: number;
}

function originalOf({copies: id}: SessionOrigin, state: string): Original | undefined {
  if (id === undefined) return undefined;
  return {id, bytes: statIfAny(sessionFile(state, id))?.size ?? 0};
}

/** A copy in which nothing happened, and that the agent has not made either, would only be the same thing twice. */
function beginsCopy(event: SessionEvent): boolean {
  return (
    event.type === 'prompt_started' ||
    event.type === 'terminal_created' ||
    (event.type === 'session_opened' && event.how === 'fork')
  );
}

/** What a copy of a stored session begins with, line by line: all that happened in it, and nothing of who had it open. */
function linesToCopy(state: string, {id, bytes}: Original): string[] {
  return Buffer.from(readRegularFile(sessionFile(state, id)))
    .subarray(0, bytes)
    .toString('utf8')
    .split('\n')
    .filter((text) => {
      const line = parseLine(text);
      return line?.kind === 'event' || (line?.kind === 'mark' && line.mark.mark === 'continued');
    })
    .map((text) => `${text}\n`);
}

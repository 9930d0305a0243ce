import type {SessionEvent, SessionEventOf, SessionEventType} from '../../session/events.ts';
import type {SessionState} from '../../session/state.ts';
import {beginRecording, continueRecording, recordCopy} from './begin-recording.ts';
import {createBeginning} from './beginning.ts';
import {beginsCopy, linesToCopy, originalOf} from './copy.ts';
import {lineOf} from './event-lines.ts';
import {isTurn} from './facts.ts';
import type {Recording, RecordingOptions} from './recording.ts';
import type {SessionFacts} from './rows.ts';
import type {SessionOrigin} from './stored-session.ts';

/** Writes down what happens in a conversation: a file for each session that the agent opens in it. */
export interface Recorder {
  /** Ours; undefined until something happened that is worth keeping: a prompt, a command, a story that an agent tells. */
  id(): string | undefined;
  /** To be told of every event, with the state after it. Never throws for what the disk does. */
  follow(event: SessionEvent, state: SessionState): void;
  branchChanged(branch: string | undefined): void;
  /** Writes out what waits, for ends that cannot be orderly. */
  flush(): void;
  /** Everything is on the disk when this returns; nothing is recorded afterwards. */
  close(): void;
}

/** After these events the index is told how things stand. */
const TURNING_POINTS: ReadonlySet<SessionEventType> = new Set([
  'agent_initialized',
  'session_opened',
  'prompt_started',
  'prompt_ended',
  'connection_changed',
  'renamed',
]);

/** `known`: the stored session that goes on. */
export function createRecorder(
  origin: SessionOrigin,
  options: RecordingOptions,
  known?: SessionFacts,
): Recorder {
  const beginning = createBeginning();
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
      if (recording) tell(recording, event, state);
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
function tell(recording: Recording, event: SessionEvent, state: SessionState): void {
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

import {randomInt} from 'node:crypto';
import type {SessionEvent, SessionEventType} from '../../session/events.ts';
import type {SessionState} from '../../session/state.ts';
import {FILE_VERSION, type Header} from './event-lines.ts';
import {factsOf} from './facts.ts';
import {openRecording, type Recording, type RecordingOptions} from './recording.ts';
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
]);

/** `known`: goes on with a session that was stored before, from whose events the state was made. */
export function createRecorder(
  origin: SessionOrigin,
  options: RecordingOptions,
  known?: SessionFacts,
): Recorder {
  let recording = known && openRecording({facts: known, header: undefined, firstEntry: 0}, options);
  /** What came before anything was worth keeping. */
  let early: SessionEvent[] = [];
  /** What the agent said of itself: a session that it opens later was told so, too. */
  let initialized: SessionEvent | undefined;
  let agentSessionId = known?.agentSessionId;
  let branch = known?.branch;
  let firstEntry = 0;
  let newest: SessionState | undefined;
  let isClosed = false;

  function begin({at}: SessionEvent): Recording {
    const {agent, cwd, additionalDirectories} = origin;
    const header: Header = {v: FILE_VERSION, id: newId(), created: at, agent, cwd, additionalDirectories};
    const begun = openRecording({facts: factsOf(header), header, firstEntry}, options);
    begun.branchChanged(branch);
    for (const event of early) begun.write(event);
    early = [];
    return begun;
  }

  /** The agent has opened another session: what was said before does not belong to it. */
  function leave(state: SessionState): void {
    if (newest) recording?.close(newest);
    recording = undefined;
    early = initialized ? [initialized] : [];
    firstEntry = state.sessionStart;
  }

  return {
    id: () => recording?.id,
    follow(event, state) {
      if (isClosed) return;
      if (event.type === 'agent_initialized') initialized = event;
      if (event.type === 'session_opened') {
        const {sessionId} = event.session;
        if (event.how === 'new' && agentSessionId !== undefined && agentSessionId !== sessionId) leave(state);
        agentSessionId = sessionId;
      }
      newest = state;
      if (!recording && isWorthKeeping(event)) recording = begin(early[0] ?? event);
      if (!recording) {
        early.push(event);
        return;
      }
      recording.write(event);
      if (TURNING_POINTS.has(event.type)) recording.save(state);
      if (event.type === 'prompt_ended') recording.sync();
    },
    branchChanged(now) {
      branch = now;
      recording?.branchChanged(now);
    },
    flush: () => recording?.flush(),
    close() {
      if (newest) recording?.close(newest);
      isClosed = true;
    },
  };
}

/** A window in which nothing was said leaves nothing behind. */
function isWorthKeeping(event: SessionEvent): boolean {
  return (
    event.type === 'prompt_started' ||
    event.type === 'terminal_created' ||
    (event.type === 'session_update' && event.update.sessionUpdate === 'user_message_chunk')
  );
}

/** Without letters and digits that look alike. */
const ID_CHARACTERS = '0123456789abcdefghjkmnpqrstvwxyz';

function newId(): string {
  return Array.from({length: 10}, () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]).join('');
}

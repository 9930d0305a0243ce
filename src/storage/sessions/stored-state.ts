import {setImmediate} from 'node:timers/promises';
import {initialSession} from '../../session/initial.ts';
import {reduce} from '../../session/reduce.ts';
import type {SessionEvent} from '../../session/events.ts';
import {restoredSession} from '../../session/lifecycle/restore.ts';
import type {SessionState} from '../../session/state.ts';
import {isMark, type StoredEvents, type Mark} from './event-file.ts';

/** Time slice for reading a long session, in milliseconds, so that the window can draw frames in between. */
const STRETCH_MS = 8;

/** Returns the state after a session's events, exactly as it was after the last one. */
export async function replay({header, lines}: StoredEvents): Promise<SessionState> {
  const {cwd, additionalDirectories, created} = header;
  let state = initialSession({cwd, additionalDirectories, at: created});
  let pauseAt = performance.now() + STRETCH_MS;
  for (const line of lines) {
    state = withLine(state, line);
    if (performance.now() < pauseAt) continue;
    await setImmediate();
    pauseAt = performance.now() + STRETCH_MS;
  }
  return state;
}

/** Returns the state after the last lines of a session only: its end is exact, the rest is missing. */
export function replayEnd(lines: StoredEvents['lines']): SessionState {
  return lines.reduce(withLine, initialSession({cwd: '/', additionalDirectories: [], at: 0}));
}

function withLine(state: SessionState, line: SessionEvent | Mark): SessionState {
  if (!isMark(line)) return folded(state, line);
  return line.mark === 'continued' ? restoredSession(state, line.at).session : state;
}

/** A damaged line that is still JSON, or one of a newer version, is skipped. */
function folded(state: SessionState, event: SessionEvent): SessionState {
  try {
    // An event type of a newer version matches no case.
    const next = reduce(state, event) as SessionState | undefined;
    return next ?? state;
  } catch {
    return state;
  }
}

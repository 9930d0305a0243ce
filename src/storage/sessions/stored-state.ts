import {setImmediate} from 'node:timers/promises';
import {initialSession} from '../../session/initial.ts';
import {reduce} from '../../session/reduce.ts';
import type {SessionEvent} from '../../session/events.ts';
import {restoredSession} from '../../session/lifecycle/restore.ts';
import type {SessionState} from '../../session/state.ts';
import {isMark, type StoredEvents, type Mark} from './event-file.ts';

/** A window that reads a long session still draws its frames: how long it folds at a stretch, in milliseconds. */
const STRETCH_MS = 8;

/** The state that a session's events lead to, exactly as it was when the last one came. */
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

/** A line that was damaged and is still JSON, or that a newer version wrote, costs itself alone. */
function folded(state: SessionState, event: SessionEvent): SessionState {
  try {
    // A kind that only a newer version knows matches no case.
    const next = reduce(state, event) as SessionState | undefined;
    return next ?? state;
  } catch {
    return state;
  }
}

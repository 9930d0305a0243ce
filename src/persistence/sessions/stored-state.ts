import {initialSession} from '../../session/initial.ts';
import {reduce} from '../../session/reduce.ts';
import type {SessionEvent} from '../../session/events.ts';
import {restoredSession} from '../../session/restore.ts';
import type {SessionState} from '../../session/state.ts';
import {isMark, type StoredEvents} from './event-file.ts';

/** The state that a session's events lead to, exactly as it was when the last one came. */
export function replay({header, lines}: StoredEvents): SessionState {
  const {cwd, additionalDirectories, created} = header;
  let state = initialSession({cwd, additionalDirectories, at: created});
  for (const line of lines) {
    if (!isMark(line)) state = folded(state, line);
    else if (line.mark === 'continued') state = restoredSession(state, line.at).session;
  }
  return state;
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

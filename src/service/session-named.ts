import {OPEN_STATES} from '../session/labels/session-states.ts';
import {fail, type Result} from '../shared/failure.ts';
import type {RunningSession} from './messages.ts';

const NOTHING = {
  kind: 'not_offered',
  cannot: 'find a running session',
  why: 'nothing runs in the background; acp-tui -r resumes a stored session',
} as const;

/** Finds a running session by its id, the beginning of it, or its name. */
export function findRunningSession(sessions: readonly RunningSession[], id: string): Result<RunningSession> {
  const byId = sessions.filter((session) => session.id.startsWith(id));
  const name = id.trim().toLowerCase();
  const [only, ...others] =
    byId.length > 0 ? byId : sessions.filter(({title}) => title.toLowerCase() === name);
  if (only && others.length === 0) return {ok: true, value: only};
  if (only) {
    const ids = [only, ...others].map((session) => session.id).join(', ');
    return fail({kind: 'not_offered', cannot: `find session "${id}"`, why: `several are meant: ${ids}`});
  }
  if (sessions.length === 0) return fail({...NOTHING, cannot: `find session "${id}" in the background`});
  const valid = sessions.map((session) => session.id);
  return fail({kind: 'unknown_value', what: 'running session', value: id, valid});
}

/** Returns the session that needs the user most. */
export function mostUrgentSession(sessions: readonly RunningSession[]): Result<RunningSession> {
  const [first] = sessions.toSorted(
    (one, other) => OPEN_STATES.indexOf(one.doing) - OPEN_STATES.indexOf(other.doing),
  );
  return first ? {ok: true, value: first} : fail(NOTHING);
}

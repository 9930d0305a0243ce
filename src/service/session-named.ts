import {fail, type Result} from '../shared/failure.ts';
import type {RunningSession} from './messages.ts';

/** Finds a running session by its id or the beginning of it; without an id, the only one. */
export function sessionNamed(
  sessions: readonly RunningSession[],
  id: string | undefined,
): Result<RunningSession> {
  const found = sessions.filter((session) => session.id.startsWith(id ?? ''));
  const [only, ...others] = found;
  if (only && others.length === 0) return {ok: true, value: only};
  if (sessions.length === 0)
    return fail({kind: 'not_offered', what: 'this', why: 'nothing runs in the background'});
  if (only)
    return fail({
      kind: 'not_offered',
      what: 'this',
      why: 'several sessions could be meant; name one by its ID',
    });
  const valid = sessions.map((session) => session.id);
  return fail({kind: 'unknown_value', what: 'running session', value: id ?? '', valid});
}

import {initialSession} from '../../session/initial.ts';
import {reduce} from '../../session/reduce.ts';
import {restoredSession} from '../../session/restore.ts';
import type {SessionState} from '../../session/state.ts';
import {isMark, type StoredEvents} from './event-file.ts';

/** The state that a session's events lead to, exactly as it was when the last one came. */
export function replay({header, lines}: StoredEvents): SessionState {
  const {cwd, additionalDirectories, created} = header;
  let state = initialSession({cwd, additionalDirectories, at: created});
  for (const line of lines) {
    if (!isMark(line)) state = reduce(state, line);
    else if (line.mark === 'continued') state = restoredSession(state, line.at).session;
  }
  return state;
}

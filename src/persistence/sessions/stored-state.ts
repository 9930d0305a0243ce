import {initialSession} from '../../session/initial.ts';
import {reduce} from '../../session/reduce.ts';
import type {SessionState} from '../../session/state.ts';
import type {StoredEvents} from './event-file.ts';

/** The state that a session's events lead to, exactly as it was when the last one came. */
export function replay({header, events}: StoredEvents): SessionState {
  const {cwd, additionalDirectories, created} = header;
  return events.reduce(reduce, initialSession({cwd, additionalDirectories, at: created}));
}

/** The same with a turn that was cut off brought to rest: nothing of it goes on. */
export function replayToRest(stored: StoredEvents): SessionState {
  const state = replay(stored);
  const at = stored.events.at(-1)?.at ?? stored.header.created;
  if (state.turn.kind !== 'idle') {
    const failure = {
      kind: 'connection_lost' as const,
      exit: undefined,
      stderrTail: '',
      problem: 'acp-tui ended in the middle of it',
    };
    return reduce(state, {type: 'connection_changed', connection: {kind: 'lost', failure}, at});
  }
  return state.connection.kind === 'closed'
    ? state
    : reduce(state, {type: 'connection_changed', connection: {kind: 'closed'}, at});
}

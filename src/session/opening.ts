import type {SessionEventOf} from './events.ts';
import type {SessionState} from './state.ts';
import {appendEntry, completeMessages} from './transcript.ts';
import {cancelToolCalls} from './tool-calls.ts';
import {endTurn} from './turns.ts';

/**
 * "Session Setup": the agent answered with a session. A new one after an earlier one leaves the transcript and forgets
 * all that the agent told of the earlier one; a loaded one has told its own story before this answer.
 */
export function sessionOpened(
  state: SessionState,
  {session, how, at}: SessionEventOf<'session_opened'>,
): SessionState {
  const again = how === 'new' && state.sessionId !== undefined;
  return {
    ...(again ? forgetSession(state, at) : state),
    sessionId: session.sessionId,
    cwd: session.cwd,
    additionalDirectories: session.additionalDirectories,
    unused: how === 'new',
    modes: session.modes ?? undefined,
    models: session.models ?? undefined,
    configOptions: session.configOptions ?? undefined,
  };
}

function forgetSession(state: SessionState, at: number): SessionState {
  const ended = endTurn(state, {at, outcome: {kind: 'stopped', stopReason: 'cancelled'}});
  const rested = cancelToolCalls(completeMessages(ended), ended.sessionStart, at);
  const text = 'A new session began. The agent does not know what was said above.';
  const told = appendEntry(rested, {type: 'notice', level: 'info', text, source: 'client'}, at);
  return {
    ...told,
    sessionStart: told.entries.length,
    title: undefined,
    plans: [],
    commands: [],
    usage: undefined,
    pending: [],
  };
}

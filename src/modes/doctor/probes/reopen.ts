import type {Result} from '../../../shared/failure.ts';
import {withoutSpaces} from '../../../text/format.ts';
import type {Verdict} from '../attempt.ts';
import type {ProbeResults} from '../examination.ts';
import type {LoggedUpdate} from '../updates-log.ts';
import {featureProbe} from './feature.ts';
import {PROMPT} from './turn.ts';

/** "Loading Sessions", in a new process: the agent replays the conversation. */
export const load = featureProbe({
  id: 'session/load',
  name: 'loading a session',
  offered: 'load',
  needs: 'messages',
  isInAnother: true,
  async work({connection, updatesLog}, {sessionId}, {setup}): Promise<Result<readonly LoggedUpdate[]>> {
    const loaded = await connection.loadSession(sessionId, setup);
    return loaded.ok
      ? {ok: true, value: updatesLog.updates.filter((updates) => updates.sessionId === sessionId)}
      : loaded;
  },
  judge: compared,
});

/** Compares the replay with the original updates. */
function compared(updates: readonly LoggedUpdate[], {answer = ''}: ProbeResults): Verdict {
  const textBy = (whom: LoggedUpdate['by']) =>
    updates.map(({by, text}) => (by === whom ? text : '')).join('');
  const [asked, answered] = [textBy('user'), textBy('agent')];
  const missing = [
    ...(withoutSpaces(asked).includes(withoutSpaces(PROMPT)) ? [] : ['the prompt']),
    ...(withoutSpaces(answered).includes(withoutSpaces(answer)) ? [] : ['the answer']),
  ];
  return missing.length > 0
    ? {wrong: `it does not replay ${missing.join(' and ')}`}
    : {note: 'it replays the prompt and the answer'};
}

/** "Resuming Sessions", in a new process: the session continues without a replay. */
export const resume = featureProbe({
  id: 'session/resume',
  name: 'resuming a session',
  offered: 'resume',
  needs: 'messages',
  isInAnother: true,
  work: ({connection}, {sessionId}, {setup}) => connection.resumeSession(sessionId, setup),
});

/** "Forking": a copy of the session with its own id. */
export const fork = featureProbe({
  id: 'session/fork',
  name: 'forking a session',
  offered: 'fork',
  needs: 'messages',
  work: ({connection}, {sessionId}, {setup}) => connection.forkSession(sessionId, setup),
  judge: ({sessionId}, {session}) =>
    sessionId === session?.sessionId ? {wrong: 'the fork has the ID of the session'} : {},
  keep: ({sessionId}, {forks}) => forks.push(sessionId),
});

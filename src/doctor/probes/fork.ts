import {isAble} from '../../session/abilities.ts';
import {attempt} from '../attempt.ts';
import {NO_SESSION, notTried, told} from '../check.ts';
import type {Probe} from '../examination.ts';

/** A copy of the session, under an id of its own. */
export const fork: Probe = async (examination) => {
  const {life, session, initialized, forks, answer} = examination.found;
  if (!initialized) return [];
  const isOffered = isAble(initialized.agentCapabilities, 'fork');
  const subject = {id: 'session/fork', name: 'copying a session', advertised: told(isOffered)} as const;
  if (!isOffered) return [notTried(subject, '')];
  if (!life || !session) return [notTried(subject, NO_SESSION)];
  if (answer === undefined) return [notTried(subject, 'nothing was said in the session')];
  const {check, value} = await attempt(examination, {
    ...subject,
    method: 'session/fork',
    work: () => life.connection.forkSession(session.sessionId, examination.setup),
    judge: ({sessionId}) =>
      sessionId === session.sessionId ? {wrong: 'the copy has the id of the session'} : {},
  });
  if (value && check.result === 'worked') forks.push(value.sessionId);
  return [check];
};

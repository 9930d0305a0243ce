import {isAble} from '../../session/abilities.ts';
import {attempt} from '../attempt.ts';
import {NO_SESSION, notTried, told} from '../check.ts';
import type {Probe} from '../examination.ts';

/** "Closing Active Sessions". */
export const close: Probe = async (examination) => {
  const {life, session, initialized, forks} = examination.found;
  if (!initialized) return [];
  const isOffered = isAble(initialized.agentCapabilities, 'close');
  const subject = {id: 'session/close', name: 'closing a session', advertised: told(isOffered)} as const;
  if (!isOffered) return [notTried(subject, '')];
  if (!life || !session) return [notTried(subject, NO_SESSION)];
  const {check} = await attempt(examination, {
    ...subject,
    method: 'session/close',
    async work() {
      for (const copy of forks) await life.connection.closeSession(copy);
      return life.connection.closeSession(session.sessionId);
    },
  });
  return [check];
};

import {isAble} from '../../session/abilities.ts';
import {attempt} from '../attempt.ts';
import {NO_SESSION, notTried, told} from '../check.ts';
import type {Probe} from '../examination.ts';
import {openLife} from '../open-life.ts';

/** "Resuming Sessions", in a new process: the session goes on, and nothing is told again. */
export const resume: Probe = async (examination) => {
  const {session, initialized, answer} = examination.found;
  if (!initialized) return [];
  const isOffered = isAble(initialized.agentCapabilities, 'resume');
  const subject = {id: 'session/resume', name: 'resuming a session', advertised: told(isOffered)} as const;
  if (!isOffered) return [notTried(subject, '')];
  if (!session) return [notTried(subject, NO_SESSION)];
  if (answer === undefined) return [notTried(subject, 'nothing was said in the session')];
  const opened = await openLife(examination);
  const {check} = await attempt(examination, {
    ...subject,
    method: 'session/resume',
    work: async () =>
      opened.ok ? opened.value.connection.resumeSession(session.sessionId, examination.setup) : opened,
  });
  if (opened.ok) await opened.value.end();
  return [check];
};

import {attempt} from '../attempt.ts';
import type {Probe} from '../examination.ts';

/** "Creating a Session". */
export const newSession: Probe = async (examination) => {
  const {life, initialized} = examination.found;
  if (!life || !initialized) return [];
  const {check, value} = await attempt(examination, {
    id: 'session/new',
    name: 'a new session',
    advertised: 'always',
    method: 'session/new',
    work: () => life.connection.newSession(examination.setup),
    judge: ({sessionId}) => (sessionId === '' ? {wrong: 'its id is empty'} : {}),
  });
  if (value) examination.found.session = value;
  return [check];
};

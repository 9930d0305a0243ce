import type {Probe} from '../examination.ts';
import {goOn} from '../go-on.ts';

/** "Resuming Sessions", in a new process: the session goes on, and nothing is told again. */
export const resume: Probe = (examination) =>
  goOn(examination, {
    ability: 'resume',
    name: 'resuming a session',
    work: ({connection}, sessionId) => connection.resumeSession(sessionId, examination.setup),
  });

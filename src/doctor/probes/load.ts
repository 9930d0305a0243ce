import type {Result} from '../../failure.ts';
import {isAble} from '../../session/abilities.ts';
import {attempt, type Verdict} from '../attempt.ts';
import {NO_SESSION, notTried, told} from '../check.ts';
import type {Probe} from '../examination.ts';
import type {Heard} from '../heard.ts';
import {openLife} from '../open-life.ts';
import {PROMPT} from './prompt.ts';

/** "Loading Sessions", in a new process: the agent tells again what was said. */
export const load: Probe = async (examination) => {
  const {session, initialized, answer} = examination.found;
  if (!initialized) return [];
  const isOffered = isAble(initialized.agentCapabilities, 'load');
  const subject = {id: 'session/load', name: 'loading a session', advertised: told(isOffered)} as const;
  if (!isOffered) return [notTried(subject, '')];
  if (!session) return [notTried(subject, NO_SESSION)];
  if (answer === undefined) return [notTried(subject, 'nothing was said in the session')];
  const opened = await openLife(examination);
  const {check} = await attempt(examination, {
    ...subject,
    method: 'session/load',
    async work(): Promise<Result<readonly Heard[]>> {
      if (!opened.ok) return opened;
      const {connection, hearing} = opened.value;
      const loaded = await connection.loadSession(session.sessionId, examination.setup);
      return loaded.ok
        ? {ok: true, value: hearing.heard.filter(({sessionId}) => sessionId === session.sessionId)}
        : loaded;
    },
    judge: (heard) => compared(heard, answer),
  });
  if (opened.ok) await opened.value.end();
  return [check];
};

/** What came again against what was lived. */
function compared(heard: readonly Heard[], answer: string): Verdict {
  const textBy = (whom: Heard['by']) => heard.map(({by, text}) => (by === whom ? text : '')).join('');
  const [asked, said] = [textBy('user'), textBy('agent')];
  const missing = [
    ...(plain(asked).includes(plain(PROMPT)) ? [] : ['the prompt']),
    ...(plain(said).includes(plain(answer)) ? [] : ['the answer']),
  ];
  return missing.length > 0
    ? {wrong: `it does not tell ${missing.join(' and ')} again`}
    : {note: 'it tells prompt and answer again'};
}

/** Blanks at the edges of chunks are nobody's loss. */
function plain(text: string): string {
  return text.replace(/\s+/g, '');
}

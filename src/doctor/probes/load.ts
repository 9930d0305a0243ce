import type {Verdict} from '../attempt.ts';
import type {Probe} from '../examination.ts';
import {goOn} from '../go-on.ts';
import type {Heard} from '../heard.ts';
import {PROMPT} from './prompt.ts';

/** "Loading Sessions", in a new process: the agent tells again what was said. */
export const load: Probe = (examination) =>
  goOn(examination, {
    ability: 'load',
    name: 'loading a session',
    async work({connection, hearing}, sessionId) {
      const loaded = await connection.loadSession(sessionId, examination.setup);
      return loaded.ok
        ? {ok: true, value: hearing.heard.filter((heard) => heard.sessionId === sessionId)}
        : loaded;
    },
    judge: compared,
  });

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

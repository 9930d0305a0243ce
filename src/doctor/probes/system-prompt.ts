import type {Result} from '../../shared/failure.ts';
import {attempt} from '../attempt.ts';
import {notTried, reported, type Probe} from '../examination.ts';

const CONTENT = [{type: 'text', text: 'This session is an examination; nothing is asked in it.'}];

/** Opens a session with an appended system prompt; whether the model follows it can't be tested. */
export const systemPrompt: Probe = async (examination) => {
  const {run, session, initialized, forks} = examination.found;
  if (!initialized) return [];
  const offered = initialized.agentCapabilities?.sessionCapabilities?.systemPrompt;
  const isOffered = offered !== undefined && offered !== null;
  const subject = {id: 'system-prompt', name: 'system prompt', advertised: reported(isOffered)} as const;
  if (!isOffered) return [notTried(subject, '')];
  if (!run || !session) return [notTried(subject, 'no session opened')];
  const {check, value} = await attempt(examination, {
    ...subject,
    method: 'session/new',
    async work(): Promise<Result<unknown>> {
      const setup = {cwd: session.cwd, mcpServers: [], systemPrompt: {mode: 'append', content: CONTENT}};
      const opened = await run.connection.request('session/new', setup);
      return opened.ok
        ? {ok: true, value: (opened.value as {sessionId?: unknown} | null)?.sessionId}
        : opened;
    },
    judge: (id) =>
      typeof id === 'string' && id !== ''
        ? {note: 'accepted; its effect on the model is not tested'}
        : {wrong: 'the answer has no session'},
  });
  // Closed and deleted together with the forks.
  if (typeof value === 'string' && value !== '') forks.push(value);
  return [check];
};

import {attempt} from '../attempt.ts';
import {notTried, reported, type Probe} from '../examination.ts';

/** `providers/list`: lists the providers, and changes none. */
export const providers: Probe = async (examination) => {
  const {run, initialized} = examination.found;
  if (!initialized) return [];
  const offered = initialized.agentCapabilities?.providers;
  const isOffered = offered !== undefined && offered !== null;
  const subject = {
    id: 'providers/list',
    name: 'model providers',
    advertised: reported(isOffered),
  } as const;
  if (!isOffered || !run) return [notTried(subject, '')];
  const {check} = await attempt(examination, {
    ...subject,
    method: 'providers/list',
    work: () => run.connection.request('providers/list', {}),
    judge(answer) {
      const list = (answer as {providers?: unknown} | null)?.providers;
      return Array.isArray(list) ? {note: `${list.length} of them`} : {wrong: 'the answer has no list'};
    },
  });
  return [check];
};

import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Result} from '../shared/failure.ts';
import {isAble} from '../session/abilities.ts';
import {attempt, type Verdict} from './attempt.ts';
import {NO_SESSION, notTried, told, type Check} from './check.ts';
import type {Examination} from './examination.ts';
import type {Life} from './life.ts';
import {openLife} from './open-life.ts';

/** A way to go on with a session in another process of the agent. */
export interface GoingOn<T> {
  readonly ability: 'load' | 'resume';
  readonly name: string;
  readonly work: (life: Life, sessionId: acp.SessionId) => Promise<Result<T>>;
  /** `answer` is what the agent had said in the session. */
  readonly judge?: (value: T, answer: string) => Verdict;
}

/** Goes on with the session that was examined, where the agent offers that and something was said in it. */
export async function goOn<T>(
  examination: Examination,
  {ability, name, work, judge}: GoingOn<T>,
): Promise<readonly Check[]> {
  const {session, initialized, answer} = examination.found;
  if (!initialized) return [];
  const isOffered = isAble(initialized.agentCapabilities, ability);
  const method = `session/${ability}`;
  const subject = {id: method, name, advertised: told(isOffered)};
  if (!isOffered) return [notTried(subject, '')];
  if (!session) return [notTried(subject, NO_SESSION)];
  if (answer === undefined) return [notTried(subject, 'nothing was said in the session')];
  const opened = await openLife(examination);
  const {check} = await attempt<T>(examination, {
    ...subject,
    method,
    work: async () => (opened.ok ? work(opened.value, session.sessionId) : opened),
    ...(judge && {judge: (value: T) => judge(value, answer)}),
  });
  if (opened.ok) await opened.value.end();
  return [check];
}

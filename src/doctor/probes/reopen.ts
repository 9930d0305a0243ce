import type * as acp from '@agentclientprotocol/sdk/unstable';
import {hasCapability} from '../../session/lifecycle/agent-capabilities.ts';
import type {Result} from '../../shared/failure.ts';
import {openAgentRun} from '../agent-process.ts';
import {type Verdict, attempt} from '../attempt.ts';
import {
  type Probe,
  NO_SESSION,
  notTried,
  reported,
  type Check,
  type Examination,
  type AgentRun,
} from '../examination.ts';
import type {LoggedUpdate} from '../updates-log.ts';
import {PROMPT} from './turn.ts';

/** "Loading Sessions", in a new process: the agent replays the conversation. */
export const load: Probe = (examination) =>
  reopen(examination, {
    ability: 'load',
    name: 'loading a session',
    async work({connection, updatesLog}, sessionId) {
      const loaded = await connection.loadSession(sessionId, examination.setup);
      return loaded.ok
        ? {ok: true, value: updatesLog.updates.filter((updates) => updates.sessionId === sessionId)}
        : loaded;
    },
    judge: compared,
  });

/** Compares the replay with the original updates. */
function compared(updates: readonly LoggedUpdate[], answer: string): Verdict {
  const textBy = (whom: LoggedUpdate['by']) =>
    updates.map(({by, text}) => (by === whom ? text : '')).join('');
  const [asked, answered] = [textBy('user'), textBy('agent')];
  const missing = [
    ...(plain(asked).includes(plain(PROMPT)) ? [] : ['the prompt']),
    ...(plain(answered).includes(plain(answer)) ? [] : ['the answer']),
  ];
  return missing.length > 0
    ? {wrong: `it does not replay ${missing.join(' and ')}`}
    : {note: 'it replays the prompt and the answer'};
}

/** Whitespace at the edges of chunks is ignored. */
function plain(text: string): string {
  return text.replace(/\s+/g, '');
}

/** "Resuming Sessions", in a new process: the session continues without a replay. */
export const resume: Probe = (examination) =>
  reopen(examination, {
    ability: 'resume',
    name: 'resuming a session',
    work: ({connection}, sessionId) => connection.resumeSession(sessionId, examination.setup),
  });

/** "Forking": a copy of the session with its own id. */
export const fork: Probe = async (examination) => {
  const {run, session, initialized, forks, answer} = examination.found;
  if (!initialized) return [];
  const isOffered = hasCapability(initialized.agentCapabilities, 'fork');
  const subject = {id: 'session/fork', name: 'forking a session', advertised: reported(isOffered)} as const;
  if (!isOffered) return [notTried(subject, '')];
  if (!run || !session) return [notTried(subject, NO_SESSION)];
  if (answer === undefined) return [notTried(subject, 'the session has no messages')];
  const {check, value} = await attempt(examination, {
    ...subject,
    method: 'session/fork',
    work: () => run.connection.forkSession(session.sessionId, examination.setup),
    judge: ({sessionId}) =>
      sessionId === session.sessionId ? {wrong: 'the fork has the ID of the session'} : {},
  });
  if (value && check.result === 'worked') forks.push(value.sessionId);
  return [check];
};

/** A way to reopen a session in another process of the agent. */
interface Reopening<T> {
  readonly ability: 'load' | 'resume';
  readonly name: string;
  readonly work: (run: AgentRun, sessionId: acp.SessionId) => Promise<Result<T>>;
  /** `answer` is the agent's answer in the session. */
  readonly judge?: (value: T, answer: string) => Verdict;
}

/** Reopens the examined session, if the agent supports it and the session has messages. */
async function reopen<T>(
  examination: Examination,
  {ability, name, work, judge}: Reopening<T>,
): Promise<readonly Check[]> {
  const {session, initialized, answer} = examination.found;
  if (!initialized) return [];
  const isOffered = hasCapability(initialized.agentCapabilities, ability);
  const method = `session/${ability}`;
  const subject = {id: method, name, advertised: reported(isOffered)};
  if (!isOffered) return [notTried(subject, '')];
  if (!session) return [notTried(subject, NO_SESSION)];
  if (answer === undefined) return [notTried(subject, 'the session has no messages')];
  const opened = await openAgentRun(examination);
  const {check} = await attempt<T>(examination, {
    ...subject,
    method,
    work: async () => (opened.ok ? work(opened.value, session.sessionId) : opened),
    ...(judge && {judge: (value: T) => judge(value, answer)}),
  });
  if (opened.ok) await opened.value.end();
  return [check];
}

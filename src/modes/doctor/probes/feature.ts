import type {AgentCapabilities} from '@agentclientprotocol/sdk/unstable';
import type {OpenedSession} from '../../../session/events.ts';
import {hasCapability, type SessionCapability} from '../../../session/lifecycle/agent-capabilities.ts';
import type {Result} from '../../../shared/failure.ts';
import {openAgentRun} from '../agent-process.ts';
import {attempt, type Verdict} from '../attempt.ts';
import {
  NO_SESSION,
  skipCheck,
  yesOrNo,
  type AgentRun,
  type Examination,
  type ProbeResults,
  type Probe,
} from '../examination.ts';

/** An optional feature of agents, and how it is tried. */
interface Feature<T> {
  /** The request, for most. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly offered: SessionCapability | ((capabilities: AgentCapabilities | undefined) => boolean);
  readonly method?: string;
  /** What there has to be: the agent alone, the session, or one with messages. */
  readonly needs: 'agent' | 'session' | 'messages';
  /** True to try it in another process, which is ended afterwards. */
  readonly isInAnother?: true;
  readonly work: (run: AgentRun, session: OpenedSession, examination: Examination) => Promise<Result<T>>;
  readonly judge?: (value: T, found: ProbeResults) => Verdict;
  /** Called with what worked. */
  readonly keep?: (value: T, found: ProbeResults) => void;
  /** The note if it is not offered. */
  readonly unoffered?: (found: ProbeResults) => string;
}

/** Returns the probe of a feature: it is tried if the agent advertises it. */
export function featureProbe<T>({id, name, offered, method = id, needs, ...how}: Feature<T>): Probe {
  return async (examination) => {
    const {found} = examination;
    const {run, initialized, session, answer} = found;
    if (!initialized) return [];
    const {agentCapabilities: all} = initialized;
    const isOffered = typeof offered === 'string' ? hasCapability(all, offered) : offered(all);
    const subject = {id, name, advertised: yesOrNo(isOffered)};
    if (!isOffered) return [skipCheck(subject, how.unoffered?.(found) ?? '')];
    if (!run || (needs !== 'agent' && !session)) return [skipCheck(subject, NO_SESSION)];
    if (needs === 'messages' && answer === undefined)
      return [skipCheck(subject, 'the session has no messages')];
    const opened: Result<AgentRun> = how.isInAnother
      ? await openAgentRun(examination)
      : {ok: true, value: run};
    const {check, value} = await attempt<T>(examination, {
      ...subject,
      method,
      work: async () => (opened.ok ? how.work(opened.value, session!, examination) : opened),
      judge: (result) => how.judge?.(result, found) ?? {},
    });
    if (how.isInAnother && opened.ok) await opened.value.end();
    if (value !== undefined && check.result === 'worked') how.keep?.(value, found);
    return [check];
  };
}

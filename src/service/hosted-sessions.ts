import {createAgentPool, type AgentListeners} from '../conversation/connection/agent-pool.ts';
import {fail, type Result} from '../shared/failure.ts';
import {hostSession, type HostedSession, type PreparedSession} from './hosted-session.ts';
import type {RunningSession, SessionStart} from './messages.ts';

/** The sessions that run in this process, without a window of their own. */
export interface HostedSessions {
  all(): ReadonlySet<HostedSession>;
  /** True if none runs, and none is being prepared. */
  isEmpty(): boolean;
  list(): readonly RunningSession[];
  /** Finds a session by its key, or by the id under which it is stored now. */
  find(name: string): Result<HostedSession>;
  /** Prepares a session; it runs once it has begun. */
  start(sessionStart: SessionStart): Promise<Result<HostedSession>>;
  end(): Promise<void>;
  /** For exits that cannot wait. */
  killNow(): void;
}

export interface HostedSessionsOptions extends Pick<AgentListeners, 'log' | 'startAgent'> {
  /** Prepares a session from options of the command line. `reserve` is called before a stored one is resumed; false if it runs here, or is being resumed. */
  readonly prepare: (
    start: SessionStart,
    reserve: (id: string) => boolean,
  ) => Promise<Result<PreparedSession>>;
  /** Called when one begins to be prepared, when that is over, and when one has ended. */
  readonly onChange?: () => void;
}

export function createHostedSessions({
  log,
  startAgent,
  prepare,
  onChange,
}: HostedSessionsOptions): HostedSessions {
  const sessions = new Set<HostedSession>();
  /** The sessions that are being prepared, with the id of a stored one that is resumed. */
  const preparing = new Set<{resumes?: string}>();
  const agents = createAgentPool({wire: {}, log, startAgent});

  function find(name: string): Result<HostedSession> {
    const found = [...sessions].find((session) => session.key === name || session.id() === name);
    return found ? {ok: true, value: found} : fail({kind: 'no_such_session', wanted: name});
  }

  async function start(wanted: SessionStart): Promise<Result<HostedSession>> {
    const own: {resumes?: string} = {};
    const reserve = (id: string) => {
      if (find(id).ok || [...preparing].some(({resumes}) => resumes === id)) return false;
      own.resumes = id;
      return true;
    };
    preparing.add(own);
    onChange?.();
    try {
      const prepared = await prepare(wanted, reserve);
      return prepared.ok ? {ok: true, value: host(prepared.value)} : prepared;
    } finally {
      preparing.delete(own);
      onChange?.();
    }
  }

  function host(prepared: PreparedSession): HostedSession {
    const onEnd = () => {
      sessions.delete(session);
      onChange?.();
    };
    const session = hostSession(prepared, {agents, log, onEnd});
    sessions.add(session);
    return session;
  }

  return {
    all: () => sessions,
    isEmpty: () => sessions.size === 0 && preparing.size === 0,
    list: () => Array.from(sessions, (session) => session.summary()),
    find,
    start,
    end: async () => void (await Promise.all(Array.from(sessions, (session) => session.end()))),
    killNow: () => sessions.forEach((session) => session.killNow()),
  };
}

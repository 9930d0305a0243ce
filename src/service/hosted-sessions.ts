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
  /** Prepares a session from options of the command line; `runs` tells whether one with this id runs here. */
  readonly prepare: (start: SessionStart, runs: (id: string) => boolean) => Promise<Result<PreparedSession>>;
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
  /** The number of sessions that are being prepared. */
  let preparing = 0;
  const agents = createAgentPool({wire: {}, log, startAgent});

  function find(name: string): Result<HostedSession> {
    const found = [...sessions].find((session) => session.key === name || session.id() === name);
    return found ? {ok: true, value: found} : fail({kind: 'no_such_session', wanted: name});
  }

  async function start(wanted: SessionStart): Promise<Result<HostedSession>> {
    preparing++;
    onChange?.();
    try {
      const prepared = await prepare(wanted, (id) => find(id).ok);
      return prepared.ok ? {ok: true, value: host(prepared.value)} : prepared;
    } finally {
      preparing--;
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
    isEmpty: () => sessions.size === 0 && preparing === 0,
    list: () => Array.from(sessions, (session) => session.summary()),
    find,
    start,
    end: async () => void (await Promise.all(Array.from(sessions, (session) => session.end()))),
    killNow: () => sessions.forEach((session) => session.killNow()),
  };
}

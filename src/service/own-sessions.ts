import {createAgentPool} from '../client/connection/agent-pool.ts';
import type {Log} from '../client/options.ts';
import {fail, type Result} from '../shared/failure.ts';
import {hostSession, type HostedSession, type PreparedSession} from './hosted-session.ts';
import type {SessionStart} from './messages.ts';
import type {ServiceClient} from './service-client.ts';

interface OwnSessionsOptions {
  readonly prepare: (start: SessionStart, runs: (id: string) => boolean) => Promise<Result<PreparedSession>>;
  readonly log: Log;
}

/** Runs sessions in this process, as the service does in its own; nothing listens for others. */
export function ownSessions({prepare, log}: OwnSessionsOptions) {
  const sessions = new Map<string, HostedSession>();
  const agents = createAgentPool({wire: {}, log});
  const runs = (id: string) => [...sessions.values()].some((session) => session.isStoredAs(id));

  function found(id: string): Result<HostedSession> {
    const session = sessions.get(id);
    return session ? {ok: true, value: session} : fail({kind: 'no_such_session', wanted: id});
  }

  async function start(wanted: SessionStart): Promise<Result<string>> {
    const prepared = await prepare(wanted, runs);
    if (!prepared.ok) return prepared;
    const {id} = prepared.value;
    const session = hostSession(prepared.value, {agents, log, onEnd: () => sessions.delete(id)});
    sessions.set(id, session);
    session.begin(wanted.prompt);
    return {ok: true, value: id};
  }

  const end = async () => void (await Promise.all(Array.from(sessions.values(), (session) => session.end())));

  return {
    /** Returns what a connection to the service offers. */
    connect(): ServiceClient {
      const detachments: (() => void)[] = [];
      return {
        pid: process.pid,
        list: async () => Array.from(sessions.values(), (session) => session.summary()),
        start,
        async attach(id, onEvent) {
          const session = found(id);
          if (!session.ok) return session;
          const {snapshot, detach} = session.value.attach(onEvent);
          detachments.push(detach);
          return {ok: true, value: snapshot};
        },
        async call({id, action, args}) {
          const session = found(id);
          const done = session.ok ? await session.value.call(action, args) : session;
          return done.ok ? done.value : done;
        },
        async stop(id) {
          const session = found(id);
          if (session.ok) await session.value.end();
          return session.ok ? {ok: true, value: undefined} : session;
        },
        end,
        onLost: () => undefined,
        close: () => detachments.forEach((detach) => detach()),
      };
    },
    end,
    killNow: () => sessions.forEach((session) => session.killNow()),
  };
}

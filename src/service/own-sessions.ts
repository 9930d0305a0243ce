import {createAgentPool} from '../client/connection/agent-pool.ts';
import type {Log} from '../client/options.ts';
import {fail, type Result} from '../shared/failure.ts';
import {hostSession, type HostedSession, type PreparedSession} from './hosted-session.ts';
import type {Identity, SessionStart} from './messages.ts';
import {sessionCalled} from './server.ts';
import type {ServiceClient} from './service-client.ts';

interface OwnSessionsOptions {
  readonly prepare: (start: SessionStart, runs: (id: string) => boolean) => Promise<Result<PreparedSession>>;
  readonly log: Log;
}

/** Runs sessions in this process, as the service does in its own; nothing listens for others. */
export function ownSessions({prepare, log}: OwnSessionsOptions) {
  const sessions = new Set<HostedSession>();
  const agents = createAgentPool({wire: {}, log});

  function found(id: string): Result<HostedSession> {
    const session = sessionCalled(id, sessions);
    return session ? {ok: true, value: session} : fail({kind: 'no_such_session', wanted: id});
  }

  async function start(wanted: SessionStart): Promise<Result<Identity>> {
    const prepared = await prepare(wanted, (id) => sessionCalled(id, sessions) !== undefined);
    if (!prepared.ok) return prepared;
    const session = hostSession(prepared.value, {agents, log, onEnd: () => sessions.delete(session)});
    sessions.add(session);
    session.begin(wanted.prompt);
    return {ok: true, value: {key: session.key, id: session.id()}};
  }

  const end = async () => void (await Promise.all(Array.from(sessions, (session) => session.end())));

  return {
    /** Returns what a connection to the service offers. */
    connect(): ServiceClient {
      const detachments: (() => void)[] = [];
      return {
        pid: process.pid,
        list: async () => Array.from(sessions, (session) => session.summary()),
        start,
        async attach(id, onEvents) {
          const session = found(id);
          if (!session.ok) return session;
          const {value} = session;
          const {snapshot, detach} = value.attach((event) =>
            onEvents({key: value.key, id: value.id(), events: [event]}),
          );
          detachments.push(detach);
          return {ok: true, value: snapshot};
        },
        async call({key, action, args}) {
          const session = found(key);
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

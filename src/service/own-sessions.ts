import {createHostedSessions, type HostedSessionsOptions} from './hosted-sessions.ts';
import type {ServiceClient} from './service-client.ts';

/** Runs sessions in this process, as the service does in its own; nothing listens for others. */
export function ownSessions(options: HostedSessionsOptions) {
  const sessions = createHostedSessions(options);
  return {
    /** Returns what a connection to the service offers. */
    connect(): ServiceClient {
      const detachments: (() => void)[] = [];
      return {
        pid: process.pid,
        list: async () => sessions.list(),
        async start(wanted) {
          const started = await sessions.start(wanted);
          if (!started.ok) return started;
          const session = started.value;
          session.begin(wanted.prompt);
          return {ok: true, value: {key: session.key, id: session.id()}};
        },
        async attach(id, onEvents) {
          const session = sessions.find(id);
          if (!session.ok) return session;
          const {value} = session;
          const {snapshot, detach} = value.attach((event) =>
            onEvents({key: value.key, id: value.id(), events: [event]}),
          );
          detachments.push(detach);
          return {ok: true, value: snapshot};
        },
        async call({key, action, args}) {
          const session = sessions.find(key);
          const done = session.ok ? await session.value.call(action, args) : session;
          return done.ok ? done.value : done;
        },
        async stop(id) {
          const session = sessions.find(id);
          if (session.ok) await session.value.end();
          return session.ok ? {ok: true, value: undefined} : session;
        },
        end: () => sessions.end(),
        onLost: () => undefined,
        close: () => detachments.forEach((detach) => detach()),
      };
    },
    end: () => sessions.end(),
    killNow: () => sessions.killNow(),
  };
}

import {createHostedSessions, type HostedSessionsOptions} from './hosted-sessions.ts';
import type {ServiceClient} from './service-client.ts';
import {createSessionCalls} from './session-calls.ts';

/** Runs sessions in this process, as the service does in its own; nothing listens for others. */
export function ownSessions(options: HostedSessionsOptions) {
  const sessions = createHostedSessions(options);
  const end = () => sessions.end();
  return {
    /** Returns what a connection to the service offers. */
    connect(): ServiceClient {
      const {leave, ...calls} = createSessionCalls(sessions);
      return {...calls, pid: process.pid, end, onLost: () => undefined, close: leave};
    },
    end,
    killNow: () => sessions.killNow(),
  };
}

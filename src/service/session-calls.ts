import {DONE, fail, type Result} from '../shared/failure.ts';
import type {HostedSession} from './hosted-session.ts';
import type {HostedSessions} from './hosted-sessions.ts';
import type {ActionCall, EventListener, SessionIdentity, SessionSnapshot, SessionStart} from './messages.ts';

const ENDED = {
  kind: 'not_offered',
  what: 'this session',
  why: 'it has ended; resuming it opens it again',
} as const;

/** What a client asks of sessions, in the same process or over a socket, and which of them it shows. */
export function createSessionCalls(sessions: HostedSessions) {
  const shown = new Map<HostedSession, () => void>();
  let hasLeft = false;

  function show(session: HostedSession, onEvents: EventListener): SessionSnapshot {
    shown.get(session)?.();
    const {key, id} = session;
    const {snapshot, detach} = session.attach((event) => onEvents({key, id: id(), events: [event]}));
    shown.set(session, detach);
    return snapshot;
  }

  return {
    list: async () => sessions.list(),
    async start(sessionStart: SessionStart, onEvents?: EventListener): Promise<Result<SessionIdentity>> {
      const started = await sessions.start(sessionStart);
      if (!started.ok) return started;
      const session = started.value;
      if (onEvents && !hasLeft) show(session, onEvents);
      session.begin();
      // Who wanted it has left while it was prepared: it goes on as if it had been shown until now.
      if (hasLeft) session.attach(() => undefined).detach();
      return {ok: true, value: {key: session.key, id: session.id()}};
    },
    async attach(id: string, onEvents: EventListener): Promise<Result<SessionSnapshot>> {
      const session = sessions.find(id);
      return session.ok ? {ok: true, value: show(session.value, onEvents)} : session;
    },
    call: async ({key, action, args}: ActionCall): Promise<unknown> => {
      const session = sessions.find(key);
      const done = session.ok ? await session.value.call(action, args) : fail(ENDED);
      return done.ok ? (done.value ?? null) : done;
    },
    async stop(id: string): Promise<Result<void>> {
      const session = sessions.find(id);
      if (!session.ok) return session;
      await session.value.end();
      return DONE;
    },
    /** Shows none of them any more. */
    leave: () => {
      hasLeft = true;
      shown.forEach((detach) => detach());
    },
  };
}

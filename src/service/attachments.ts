import type {MessageConnection} from 'vscode-jsonrpc/node';
import type {SessionEvent} from '../session/events.ts';
import type {HostedSession} from './hosted-session.ts';
import {messages, type SessionSnapshot} from './messages.ts';

/** The sessions that a client shows. */
export interface Attachments {
  /** Returns the session's state; all later events are sent. */
  add(session: HostedSession): SessionSnapshot;
  removeAll(): void;
}

interface Reading {
  /** The number of events that may wait for the client. */
  readonly maxUnread: number;
  readonly disconnect: () => void;
}

export function createAttachments(connection: MessageConnection, reading: Reading): Attachments {
  const attached = new Map<HostedSession, () => void>();
  return {
    add(session) {
      attached.get(session)?.();
      const {snapshot, detach} = session.attach(eventSender(connection, session, reading));
      attached.set(session, detach);
      return snapshot;
    },
    removeAll: () => attached.forEach((detach) => detach()),
  };
}

/** Returns a function that sends a session's events: one message for those of a turn of the event loop, or since the last one was read. */
function eventSender(
  connection: MessageConnection,
  {key, id}: HostedSession,
  {maxUnread, disconnect}: Reading,
): (event: SessionEvent) => void {
  let waiting: SessionEvent[] = [];
  let isSending = false;

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const events = waiting;
      waiting = [];
      try {
        await connection.sendNotification(messages.events, {key, id: id(), events});
      } catch {
        // The client has gone meanwhile.
      }
    }
    isSending = false;
  }

  return (event) => {
    waiting.push(event);
    if (waiting.length > maxUnread) disconnect();
    if (isSending) return;
    isSending = true;
    setImmediate(() => void send());
  };
}

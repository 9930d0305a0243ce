import type {MessageConnection} from 'vscode-jsonrpc/node';
import {messages, type EventListener, type SessionEvents} from './messages.ts';

interface Reading {
  /** The number of events that may wait for the client. */
  readonly maxUnread: number;
  readonly disconnect: () => void;
}

/** Returns a function that sends events: one message for those of a session in a turn of the event loop, or since the last one was read. */
export function eventSender(
  connection: Pick<MessageConnection, 'sendNotification'>,
  {maxUnread, disconnect}: Reading,
): EventListener {
  let waiting: SessionEvents[] = [];
  let isSending = false;

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const taken = Map.groupBy(waiting, ({key}) => key);
      waiting = [];
      for (const [key, parts] of taken) {
        const {id} = parts.at(-1)!;
        const events = parts.flatMap((part) => part.events);
        try {
          await connection.sendNotification(messages.events, {key, id, events});
        } catch {
          // The client has gone meanwhile.
        }
      }
    }
    isSending = false;
  }

  return (events) => {
    waiting.push(events);
    if (waiting.length > maxUnread) disconnect();
    if (isSending) return;
    isSending = true;
    setImmediate(() => void send());
  };
}

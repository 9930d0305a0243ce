import type {Socket} from 'node:net';
import type {WebSocket} from 'ws';

export interface WebSocketLimits {
  /** From the upgrade to the first message, in milliseconds. */
  readonly firstMessageMs: number;
  /** Interval in which a client has to give a sign of life, in milliseconds. */
  readonly pingMs: number;
}

/** Ends the connection of a client that sends nothing first, or later neither sends, reads nor answers a ping. */
export function endWhenGone(
  client: WebSocket,
  {firstMessageMs, pingMs, socket}: WebSocketLimits & {readonly socket: Socket},
): void {
  const first = setTimeout(() => client.terminate(), firstMessageMs).unref();
  client.once('message', () => clearTimeout(first));
  let isAlive = true;
  let unread = 0;
  let passedOn = 0;
  for (const event of ['message', 'pong', 'ping']) client.on(event, () => (isAlive = true));
  const timer = setInterval(() => {
    const before = passedOn;
    passedOn = socket.bytesWritten - socket.writableLength;
    // A client that is behind gets the ping only after what it has not read, and reading that is a sign of life.
    const isReading = unread > 0 && passedOn > before;
    if (!isAlive && !isReading) return client.terminate();
    unread = socket.writableLength;
    isAlive = false;
    client.ping();
  }, pingMs).unref();
  client.once('close', () => {
    clearTimeout(first);
    clearInterval(timer);
  });
  client.on('error', () => client.terminate());
}

import type {Server} from 'node:http';
import type {Socket} from 'node:net';

/** The open sockets of a server. */
export interface LimitedSockets {
  /** Marks a socket whose client has shown the token. */
  readonly accept: (socket: Socket) => void;
  readonly destroy: () => void;
}

/** Keeps at most `max` sockets open. A new one takes the place of the oldest that was not accepted, so that strangers never keep clients out. */
export function limitSockets(server: Server, max: number): LimitedSockets {
  const strangers = new Set<Socket>();
  const accepted = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    strangers.add(socket);
    socket.once('close', () => {
      strangers.delete(socket);
      accepted.delete(socket);
    });
    if (strangers.size + accepted.size <= max) return;
    const [oldest] = strangers;
    oldest?.destroy();
  });
  return {
    accept(socket) {
      if (strangers.delete(socket)) accepted.add(socket);
    },
    destroy() {
      for (const socket of [...strangers, ...accepted]) socket.destroy();
    },
  };
}

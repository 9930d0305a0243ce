import type {IncomingMessage, ServerResponse} from 'node:http';

/** How long an HTTP connection may be without an open stream before it counts as abandoned, in milliseconds. */
const ABANDONED_MS = 60_000;

const CONNECTION_ID = 'acp-connection-id';

/**
 * Detects HTTP connections whose client is gone: there is no other sign of it, and each keeps an agent running. `close` ends the connection with this id.
 */
export function followConnections(close: (connectionId: string) => void, abandonedMs = ABANDONED_MS) {
  const streams = new Map<string, number>();
  const timers = new Map<string, NodeJS.Timeout>();

  function changed(id: string, by: number): void {
    const open = (streams.get(id) ?? 0) + by;
    streams.set(id, open);
    clearTimeout(timers.get(id));
    timers.delete(id);
    if (open > 0) return;
    streams.delete(id);
    const end = () => {
      timers.delete(id);
      close(id);
    };
    timers.set(id, setTimeout(end, abandonedMs).unref());
  }

  return {
    /** Tracks a request and its response. */
    follow(request: IncomingMessage, response: ServerResponse): void {
      const headerId = request.headers[CONNECTION_ID];
      const isStream = request.method === 'GET' && typeof headerId === 'string';
      if (isStream) changed(headerId, 1);
      response.once('close', () => {
        const id = headerId ?? response.getHeader(CONNECTION_ID);
        if (typeof id === 'string' && request.method !== 'DELETE') changed(id, isStream ? -1 : 0);
      });
    },
    stop: () => timers.forEach((timer) => clearTimeout(timer)),
  };
}

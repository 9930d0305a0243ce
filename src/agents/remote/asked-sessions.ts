import type {AnyMessage} from '@agentclientprotocol/sdk/unstable';

/** The requests whose response names a new session. */
const CREATING: ReadonlySet<string> = new Set(['session/new', 'session/fork']);

/** The SDK keeps the ID of each session without a stream, so a server that names ever more of them loses its connection. */
const MAX_REFUSED = 100;

/** The sessions that a client works with. */
export function createClientSessions() {
  const known = new Set<string>();
  /** The number of new sessions that were requested and have no stream yet. */
  let expected = 0;
  let refused = 0;

  function isAsked(id: string): boolean {
    if (known.has(id)) return true;
    if (expected === 0) return false;
    expected -= 1;
    known.add(id);
    return true;
  }

  return {
    /** Notes a message before it is sent. */
    sent: (message: AnyMessage): void => {
      if (!('method' in message)) return;
      if (CREATING.has(message.method)) expected += 1;
      const {sessionId} = (message.params ?? {}) as {readonly sessionId?: unknown};
      if (typeof sessionId === 'string') known.add(sessionId);
    },
    /** Returns a `fetch` that opens the event streams of these sessions only; the SDK would open one for each ID in a response, whatever it answers. */
    only:
      (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
      async (input, init) => {
        const id = init?.method === 'GET' ? new Headers(init.headers).get('acp-session-id') : null;
        if (id === null || isAsked(id)) return fetch(input, init);
        refused += 1;
        if (refused > MAX_REFUSED) throw new Error('the server named sessions that were not requested');
        // To the SDK, a conflict concerns that session only.
        return new Response(null, {status: 409});
      },
  };
}

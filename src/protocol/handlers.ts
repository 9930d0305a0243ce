import {
  client,
  methods,
  RequestError,
  type ClientApp,
  type McpOverAcpProvider,
} from '@agentclientprotocol/sdk/unstable';
import {readAuthStatusUpdate} from '../shared/authentication.ts';
import {LIMITS} from '../shared/limits.ts';
import type {ClientHandlers} from './handlers-interface.ts';
import type {Normalizer} from './normalize/deviation.ts';
import {DEVIATIONS, readElicitation, readPermission} from './normalize/messages.ts';
import type {Outbox} from './outbox.ts';
import {MALFORMED, malformedProblem} from './normalize/malformed.ts';
import * as schema from './schema.ts';
import type {Log} from './transport.ts';

/** What the handlers of a connection share. */
interface HandlerTools {
  readonly normalize: Normalizer;
  readonly log: Log;
  /** Handles a `session/update` that was sent as a request. */
  readonly update: (params: unknown) => void;
  readonly outbox: Outbox;
  /** The MCP servers that are offered over the connection. */
  readonly mcp: McpOverAcpProvider;
}

/** Requests whose responses contain file or terminal content. */
const WITH_CONTENT: ReadonlySet<string> = new Set([
  methods.client.fs.readTextFile,
  methods.client.terminal.output,
]);
/** Requests that wait for the user. */
const QUESTIONS: ReadonlySet<string> = new Set([
  methods.client.session.requestPermission,
  methods.client.elicitation.create,
]);

/** Returns the SDK's client with a handler for each request of the agent. The SDK responds to the others with -32601. */
export function clientApp(
  handlers: ClientHandlers,
  {normalize, log, update, outbox, mcp}: HandlerTools,
): ClientApp {
  const app = client({name: 'acp-tui'});
  const {session, fs, terminal, elicitation} = methods.client;
  const limits = createRequestLimits((text) => handlers.limited?.(text));

  function on<Params, Response>(
    method: string,
    parser: Pick<schema.Parser<Params>, 'parse'>,
    handle: ((params: Params, signal: AbortSignal) => Promise<Response>) | undefined,
  ): void {
    if (handle === undefined) return;
    const parse = (params: unknown): Params => {
      try {
        return parser.parse(normalize(params ?? {}, DEVIATIONS.requests[method]));
      } catch (error) {
        log('warn', `${method} is refused, its parameters do not follow the schema: ${String(error)}`);
        throw error;
      }
    };
    app.onRequest(method, parse, async ({params, signal}) => {
      const answer = () => handle(params, signal);
      const work = () => (WITH_CONTENT.has(method) ? outbox.answer(answer, signal) : answer());
      const run = () => Promise.race([work(), withdrawn(signal)]);
      const response = await limits.run(QUESTIONS.has(method) ? 'question' : 'other', run);
      return response ?? {};
    });
  }

  on(
    session.requestPermission,
    {parse: (params) => readPermission(params, normalize)},
    handlers.requestPermission,
  );
  on(elicitation.create, {parse: readElicitation}, handlers.createElicitation);
  on(fs.readTextFile, schema.paramsParser(fs.readTextFile), handlers.readTextFile);
  on(fs.writeTextFile, schema.paramsParser(fs.writeTextFile), handlers.writeTextFile);
  on(terminal.create, schema.paramsParser(terminal.create), handlers.createTerminal);
  on(terminal.output, schema.paramsParser(terminal.output), handlers.terminalOutput);
  on(terminal.waitForExit, schema.paramsParser(terminal.waitForExit), handlers.waitForTerminalExit);
  on(terminal.kill, schema.paramsParser(terminal.kill), handlers.killTerminal);
  on(terminal.release, schema.paramsParser(terminal.release), handlers.releaseTerminal);
  app.onRequest(
    methods.client.mcp.message,
    (params) => schema.paramsParser(methods.client.mcp.message).parse(params),
    (context) => limits.run('other', () => mcp.handleRequest(context)),
  );
  app.onRequest(
    session.update,
    (params) => params,
    ({params}) => {
      update(params);
      return {};
    },
  );
  onNotifications(app, handlers, log);
  return app;
}

function onNotifications(app: ClientApp, handlers: ClientHandlers, log: Log): void {
  const {auth, elicitation} = methods.client;
  app.onNotification(
    auth.statusUpdate,
    (params) => schema.paramsParser(auth.statusUpdate).parse(params),
    ({params}) => handlers.authStatusChanged?.(params),
  );
  app.onNotification(
    '_auth/status_update',
    (params) => params,
    ({params}) => {
      const status = readAuthStatusUpdate(params);
      if (status) handlers.authStatusChanged?.(status);
    },
  );
  app.onNotification(
    elicitation.complete,
    (params) => schema.paramsParser(elicitation.complete).parse(params),
    ({params}) => handlers.elicitationCompleted?.(params),
  );
  app.onNotification('*', ({method, params}) => {
    if (method === MALFORMED) log('warn', malformedProblem(params));
    else if (method !== methods.protocol.cancelRequest) log('info', `ignored a notification: ${method}`);
  });
}

/** Rejects with -32800 when the agent cancels its request or the connection ends, whatever the handler does. */
function withdrawn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const withdraw = () => reject(RequestError.requestCancelled());
    if (signal.aborted) withdraw();
    else signal.addEventListener('abort', withdraw, {once: true});
  });
}

/** The limit that a request counts towards, besides that of all requests. */
type RequestKind = 'question' | 'other';

/** Counts the requests of an agent; past a limit, `limited` is called once, with a sentence for the user. */
export function createRequestLimits(limited: (text: string) => void) {
  const reported = new Set<string>();
  const open = {question: 0, other: 0};
  let second = {since: 0, count: 0};

  function refuse(what: string): never {
    if (!reported.has(what)) limited(`The agent had ${what} and sent more, which were rejected.`);
    reported.add(what);
    throw new RequestError(-32603, `Too many at once: ${what} already.`, {reason: 'limit'});
  }

  function check(kind: RequestKind): void {
    const now = performance.now();
    if (now - second.since >= 1000) second = {since: now, count: 0};
    if (++second.count > LIMITS.requestsPerSecond)
      refuse(`${LIMITS.requestsPerSecond} requests in one second`);
    if (open.question + open.other >= LIMITS.requests) refuse(`${LIMITS.requests} unanswered requests`);
    if (kind === 'question' && open.question >= LIMITS.questions)
      refuse(`${LIMITS.questions} unanswered questions`);
  }

  return {
    /** Rejects with a JSON-RPC error past a limit. */
    async run<T>(kind: RequestKind, handle: () => Promise<T>): Promise<T> {
      check(kind);
      open[kind]++;
      try {
        return await handle();
      } finally {
        open[kind]--;
      }
    },
  };
}

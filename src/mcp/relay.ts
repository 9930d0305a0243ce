import {setImmediate as nextTask} from 'node:timers/promises';
import {
  Client,
  ProtocolError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import {McpProtocolError, type McpRequestHandler} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import * as z from 'zod/mini';
import {launchAgent, type AgentProcess} from '../agents/launch.ts';
import {connectionFor} from '../download/connection.ts';
import {fetchOver} from '../download/fetch.ts';
import {stdioTransport, type Log} from '../protocol/transport.ts';
import type {OpenSandbox} from '../sandbox/session-sandbox.ts';
import {errorMessage} from '../shared/failure.ts';
import {failureSentence} from '../shared/failure-messages.ts';
import {version} from '../shared/version.ts';
import {isJsonObject, jsonOf} from '../text/json.ts';

interface RelayOptions {
  /** Absolute; the working folder of a program. */
  readonly cwd: string;
  /** What a program inherits, as its agent does. */
  readonly environment: NodeJS.ProcessEnv;
  /** Opens the sandbox that a program runs in; absent if it is not confined. */
  readonly sandbox?: OpenSandbox | undefined;
  readonly log: Log;
  /** Called whenever the server was started or reached. */
  readonly onStart: () => void;
  /** Called with the reason whenever the server cannot be started or reached. */
  readonly onFailure: (reason: string) => void;
  /** Called with each started process. */
  readonly onProcess: (process: AgentProcess) => void;
}

/** An MCP server that acp-tui starts or connects to for an agent. */
export interface Relay {
  /** Forwards a request; the first one starts the server. */
  readonly handle: McpRequestHandler;
  /** Stops the server; resolves when it has ended. */
  close(): Promise<void>;
}

/** Servers before revision 2026-07-28 start with `initialize`; nearly all newer ones still support that. */
const REVISIONS = ['legacy', {pin: '2026-07-28'}] as const;
/** How long a server may take to start, in milliseconds. */
const START_MS = 60_000;
/** Effectively no time limit for tools, in milliseconds: the agent decides when to give up. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** Runs an MCP server, or connects to it, on behalf of an agent ("MCP over ACP", a draft; the SDK's binding of MCP 2026-07-28). */
export function createRelay(server: Exclude<acp.McpServer, acp.McpServerAcp>, options: RelayOptions): Relay {
  let connected: Promise<Client> | undefined;
  const closing = new AbortController();
  /** Also those that cannot be used any more. */
  const processes: AgentProcess[] = [];
  const onProcess = (process: AgentProcess) => {
    processes.push(process);
    options.onProcess(process);
  };

  async function open(): Promise<Client> {
    let refusal: unknown;
    for (const mode of REVISIONS) {
      const client = new Client(
        {name: 'acp-tui', version},
        {versionNegotiation: {mode}, inputRequired: {autoFulfill: false}},
      );
      const transport = await transportTo(server, {...options, onProcess});
      try {
        await client.connect(transport, {signal: closing.signal, timeout: START_MS});
        client.onclose = () => (connected = undefined);
        options.onStart();
        client.onerror = (error) => options.log('info', `MCP server ${server.name}: ${error.message}`);
        return client;
      } catch (error) {
        await transport.close();
        refusal = error;
        if (!ProtocolError.isInstance(error) || closing.signal.aborted) break;
      }
    }
    throw refusal;
  }

  function client(): Promise<Client> {
    if (closing.signal.aborted) throw new Error('the MCP server was closed');
    connected ??= open().catch((error: unknown) => {
      connected = undefined;
      options.onFailure(errorMessage(error));
      // The agent would get the reason, which may contain the command or the URL.
      throw new Error('it cannot be used; the user knows why');
    });
    return connected;
  }

  return {
    async handle(operation) {
      return {result: await answer(await client(), operation)};
    },
    async close() {
      closing.abort();
      const open = await connected?.catch(() => undefined);
      await open?.close();
      await Promise.all(processes.map((process) => process.stop()));
    },
  };
}

type Operation = Parameters<McpRequestHandler>[0];

const anything = z.looseObject({});

/** Returns the server's response, converted to the revision of the binding. */
async function answer(client: Client, operation: Operation): Promise<object> {
  const {method, params, signal} = operation;
  const isOlder = client.getProtocolEra() === 'legacy';
  if (method === 'server/discover' && isOlder) return discovered(client);
  const progressToken = metaOf(params)?.['progressToken'];
  try {
    const result = await client.request(
      {method, ...(params && {params: isOlder ? withoutEnvelope(params) : params})},
      anything,
      {
        signal,
        timeout: NO_TIMEOUT,
        allowInputRequired: true,
        ...(progressToken !== undefined && {
          onprogress: (progress) =>
            void operation.notify('notifications/progress', {...progress, progressToken}).catch(() => {}),
        }),
      },
    );
    return {resultType: 'complete', ...result};
  } catch (error) {
    if (ProtocolError.isInstance(error)) throw new McpProtocolError(error.code, error.message, error.data);
    throw error;
  }
}

/** Returns the response to `server/discover` for a server that only supports `initialize`, without capabilities that need a channel from the server. */
function discovered(client: Client): object {
  const {tools, prompts, resources, completions} = client.getServerCapabilities() ?? {};
  const instructions = client.getInstructions();
  return {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: {
      ...(tools && {tools: {}}),
      ...(prompts && {prompts: {}}),
      ...(resources && {resources: {}}),
      ...(completions && {completions}),
    },
    ...(instructions !== undefined && {instructions}),
    _meta: {'io.modelcontextprotocol/serverInfo': client.getServerVersion()},
  };
}

function metaOf(params: Operation['params']): Readonly<Record<string, unknown>> | undefined {
  const meta = params?.['_meta'];
  return typeof meta === 'object' && meta !== null ? (meta as Record<string, unknown>) : undefined;
}

/** Removes the client's properties, which the newer revision sends with each request. */
function withoutEnvelope(params: NonNullable<Operation['params']>): NonNullable<Operation['params']> {
  const kept = Object.entries(metaOf(params) ?? {}).filter(
    ([name]) => !name.startsWith('io.modelcontextprotocol/'),
  );
  const {_meta, ...others} = params;
  return kept.length > 0 ? {...others, _meta: Object.fromEntries(kept)} : others;
}

async function transportTo(
  server: Exclude<acp.McpServer, acp.McpServerAcp>,
  options: RelayOptions,
): Promise<Transport> {
  if (!('type' in server)) return startServer(server, options);
  const url = new URL(server.url);
  const headers = Object.fromEntries(server.headers.map(({name, value}) => [name, value]));
  const fetch = fetchOver(connectionFor(url, {keepAlive: true}));
  const connectionOptions = {requestInit: {headers}, fetch};
  return server.type === 'http'
    ? new StreamableHTTPClientTransport(url, connectionOptions)
    : new SSEClientTransport(url, connectionOptions);
}

/** Starts a server program, with its stdin and stdout as transport; its whole process tree ends with it. */
async function startServer(
  {name, command, args, env}: acp.McpServerStdio,
  {cwd, environment, log, onProcess, sandbox}: RelayOptions,
): Promise<Transport> {
  const variables = Object.fromEntries(env.map((variable) => [variable.name, variable.value]));
  const launched = await launchAgent(
    {label: name, command, args, env: variables},
    {
      cwd,
      environment,
      sandbox,
      onEvent: (event) =>
        void (event.kind === 'stderr' && log('info', `MCP server ${name} stderr: ${event.text}`)),
    },
  );
  if (!launched.ok) throw new Error(failureSentence(launched.failure));
  const process = launched.value;
  onProcess(process);
  const pipes = stdioTransport(process);
  const transport: Transport = {
    async start() {
      // One that has closed its output cannot be used any more, but may still run.
      void read(pipes.lines, transport).finally(() => {
        transport.onclose?.();
        void process.stop();
      });
    },
    send: (message) => pipes.send(JSON.stringify(message)),
    close: () => process.stop(),
  };
  return transport;
}

async function read(lines: ReadableStream<readonly string[]>, transport: Transport): Promise<void> {
  try {
    for await (const read of lines)
      for (const line of read) {
        const message = jsonOf(line);
        // Other output is ignored.
        if (!isJsonObject(message) || !('jsonrpc' in message)) continue;
        transport.onmessage?.(message as unknown as JSONRPCMessage);
        // The client handles responses at once and notifications later: one that follows in the same piece would overtake them.
        await nextTask();
      }
  } catch (error) {
    transport.onerror?.(error as Error);
  }
}

import {env} from 'node:process';
import {RequestError} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AgentProcess} from '../../agents/launch.ts';
import type {RemoteAgent} from '../../agents/remote/remote-agent.ts';
import {quirksOf} from '../../agents/quirks.ts';
import type {HostResponse, PermissionPrompt} from '../../host/services.ts';
import {connect, translateTransport} from '../../protocol/connect.ts';
import type {ClientOffer, Connection} from '../../protocol/connection.ts';
import {traceContext} from '../../protocol/outgoing.ts';
import type {ClientHandlers} from '../../protocol/handlers-interface.ts';
import {type Transport, stdioTransport} from '../../protocol/transport.ts';
import {userQuestions} from '../../protocol/user-questions.ts';
import {toolCall} from '../../session/selectors.ts';
import {identifyQuestion, identifyRequest} from '../../session/subagents/nested.ts';
import {isSubagent, sessionOf} from '../../session/subagents/tree.ts';
import {newestCallId} from '../../session/transcript/call-ids.ts';
import {isFinished} from '../../session/transcript/tool-status.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {StartStep} from '../../session/state.ts';
import type {Log, WireListener} from '../options.ts';
import {type AgentMember, readableRequest, type ServedSession} from './agent-updates.ts';
import type {UpdateRouter} from './update-router.ts';

/** The sessions of a connection, oldest first, and the lookup of a message's session. */
interface ConnectedSessions {
  readonly members: ReadonlySet<AgentMember>;
  readonly router: UpdateRouter<AgentMember>;
}

interface ConnectOptions {
  readonly offer: ClientOffer;
  /** The name by which the user started the agent. */
  readonly label: string;
  readonly version: string;
  readonly wire: WireListener;
  readonly log: Log;
}

/** Connects to a launched agent. Loads the SDK, so it is imported only then. */
export async function connectProtocol(
  process: AgentProcess | RemoteAgent,
  sessions: ConnectedSessions,
  {offer, label, version, wire, log}: ConnectOptions,
): Promise<Connection> {
  const direct = 'transport' in process ? process.transport : stdioTransport(process);
  const transport = await translateTransport(direct, offer);
  const sentRequest = (id: unknown) => connection.sentRequest(id);
  const handlers = createHandlers(offer, {...sessions, sentRequest, log});
  const connection = connect(paced(transport, wire.pace), handlers, {
    clientInfo: {name: 'acp-tui', title: 'acp-tui', version},
    command: label,
    trace: traceContext(env),
    onWire(message) {
      wire.onWire?.(message);
      wire.onEvent?.({kind: 'message', pid: process.pid, ...message});
    },
    log,
  });
  return connection;
}

/** A transport with backpressure from its reader. */
function paced(transport: Transport, pace: WireListener['pace']): Transport {
  if (!pace) return transport;
  const gate = new TransformStream<readonly string[], readonly string[]>({
    async transform(lines, controller) {
      controller.enqueue(lines);
      await pace();
    },
  });
  return {...transport, lines: transport.lines.pipeThrough(gate)};
}

/** "Resource not found", see docs/permissions.md. */
const NOT_FOUND = -32002;

/**
 * Returns handlers that pass the agent's requests to the host of their session, and its updates to the router. Requests of a session that is not open are
 * refused and logged.
 */
function createHandlers(
  {fs, terminal}: ClientOffer,
  sessions: ConnectedSessions & Pick<Connection, 'sentRequest'> & Pick<ConnectOptions, 'log'>,
): ClientHandlers {
  const {router, members, log} = sessions;

  function of({sessionId}: {readonly sessionId: string}): ServedSession {
    const owner = router.owner(sessionId);
    if (owner) return owner.served;
    log('warn', `Refused a request of ${sessionId}, which is not open`);
    throw RequestError.sessionNotFound(sessionId);
  }

  const all = (work: (served: ServedSession) => void) => members.forEach(({served}) => work(served));

  return {
    sessionUpdate: router.receive,
    limited(text) {
      const [first] = members;
      first?.served.sink.emit({type: 'notice', level: 'warning', text, at: Date.now()});
    },
    authStatusChanged: (status) =>
      all(({sink}) => sink.emit({type: 'auth_status_reported', status, at: Date.now()})),
    requestPermission: async (prompt, signal) => requestPermission(of(prompt.request), prompt, signal),
    async createElicitation(request, signal) {
      const {sessionId} = request as {readonly sessionId?: unknown};
      const route =
        typeof sessionId === 'string' ? {served: of({sessionId})} : sessionAsked(sessions, request);
      return valueOf(await elicit(route, request, signal));
    },
    elicitationCompleted: ({elicitationId}) => all(({host}) => host.completeElicitation(elicitationId)),
    ...(fs && {
      async readTextFile(request, signal) {
        const {host, sink} = of(request);
        return valueOf(forgiving(await host.read(request, signal), sink.state().agent?.name));
      },
      writeTextFile: async (request, signal) => valueOf(await of(request).host.write(request, signal)),
    }),
    ...(terminal && {
      async createTerminal(request, signal) {
        const served = of(request);
        return valueOf(await served.host.createTerminal(withFolder(served, request), signal));
      },
      terminalOutput: async (request) => valueOf(of(request).host.terminals.output(request.terminalId)),
      waitForTerminalExit: async (request, signal) =>
        valueOf(await of(request).host.terminals.waitForExit(request.terminalId, signal)),
      killTerminal: async (request) => valueOf(await of(request).host.terminals.kill(request.terminalId)),
      releaseTerminal: async (request) =>
        valueOf(await of(request).host.terminals.release(request.terminalId)),
    }),
  };
}

/** The session in which a question is shown. */
interface AskedSession {
  readonly served: ServedSession;
  /** True if it may be meant for another one. */
  readonly isForNone?: boolean;
}

/** What a session shows while it waits for the response to such a request, which has no session id. */
const STEPS: Readonly<Record<string, StartStep>> = {
  'session/new': 'opening_session',
  'session/fork': 'opening_session',
  authenticate: 'authenticating',
};

/**
 * Returns where to ask a question without session id ("Elicitation"): in the session whose request caused it, else in the one that waits for the agent. If
 * several do, it is shown as the agent's.
 */
function sessionAsked(
  {router, members, sentRequest}: ConnectedSessions & Pick<Connection, 'sentRequest'>,
  request: acp.CreateElicitationRequest,
): AskedSession {
  const sent = sentRequest((request as {readonly requestId?: unknown}).requestId);
  const owner = sent?.sessionId === undefined ? undefined : router.owner(sent.sessionId);
  if (owner) return {served: owner.served};
  const all = Array.from(members, ({served}) => served);
  const waiting = all.filter(({isWaiting, sink}) => {
    const {connection, turn} = sink.state();
    if (!sent) return isWaiting || turn.kind !== 'idle';
    return connection.kind === 'starting' && connection.step === STEPS[sent.method];
  });
  const [served, ...others] = waiting.length > 0 ? waiting : all;
  if (!served) throw RequestError.internalError();
  return {served, isForNone: others.length > 0};
}

/** Shows a request that only asks questions as a form; passes any other to the host. */
async function requestPermission(
  served: ServedSession,
  prompt: PermissionPrompt,
  signal: AbortSignal,
): Promise<acp.RequestPermissionResponse> {
  const {host, sink} = served;
  const {sessionId, toolCall: wanted} = identifyRequest(sink.state(), prompt.request);
  const session = sessionOf(sink.state(), sessionId);
  const known = toolCall(session, wanted.toolCallId);
  const newest = toolCall(session, newestCallId(session, prompt.request.toolCall.toolCallId));
  // To its agent, an answer may be one about a call that runs under the same ID.
  const isAlone = newest === known || !newest || isFinished(newest.status);
  const questions = isAlone ? userQuestions({...prompt.request, toolCall: wanted}, known) : undefined;
  if (!questions) return host.requestPermission(readableRequest(served, prompt), signal);
  const answer = await elicit({served}, questions.form, signal);
  return questions.respond(answer.ok ? answer.value : undefined);
}

/** Asks the user; a refused question adds a notice. */
async function elicit(
  {served: {host, sink}, isForNone = false}: AskedSession,
  request: acp.CreateElicitationRequest,
  signal: AbortSignal,
): Promise<HostResponse<acp.CreateElicitationResponse>> {
  const answer = await host.elicit(identifyQuestion(sink.state(), request), {signal, isForNone});
  if (!answer.ok) {
    const text = `Rejected a question from the agent: ${sanitizeLine(answer.message)}.`;
    sink.emit({type: 'elicitation_refused', text, at: Date.now()});
  }
  return answer;
}

/** Returns an empty file to an agent that must read a file before it can create it. */
function forgiving(
  answer: HostResponse<acp.ReadTextFileResponse>,
  agentName: string | undefined,
): typeof answer {
  const isMissing = !answer.ok && answer.code === NOT_FOUND;
  return isMissing && quirksOf(agentName).emptyFileWhenMissing ? {ok: true, value: {content: ''}} : answer;
}

/** Returns the value, or throws the host's JSON-RPC error. */
function valueOf<T>(answer: HostResponse<T>): T {
  if (answer.ok) return answer.value;
  throw new RequestError(answer.code, answer.message, answer.data);
}

/** A subagent's commands run in its own folder by default ("Subagents"). */
function withFolder({sink}: ServedSession, request: acp.CreateTerminalRequest): acp.CreateTerminalRequest {
  const {sessionId, cwd} = request;
  if (cwd || !isSubagent(sink.state(), sessionId)) return request;
  return {...request, cwd: sessionOf(sink.state(), sessionId).cwd};
}

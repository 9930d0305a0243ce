import {env} from 'node:process';
import {RequestError} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AgentProcess} from '../../agents/launch.ts';
import type {RemoteAgent} from '../../agents/remote/remote-agent.ts';
import {quirksOf} from '../../agents/quirks.ts';
import type {Answer, PermissionPrompt} from '../../host/services.ts';
import {connect} from '../../protocol/connect.ts';
import type {ClientOffer, Connection} from '../../protocol/connection.ts';
import {traceContext} from '../../protocol/outgoing.ts';
import type {ClientHandlers} from '../../protocol/handlers-interface.ts';
import {type Transport, stdioTransport} from '../../protocol/transport.ts';
import {userQuestions} from '../../protocol/user-questions.ts';
import {toolCall} from '../../session/selectors.ts';
import {isSubagent, sessionOf} from '../../session/subagents/tree.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Log, WireListener} from '../options.ts';
import type {AgentMember, ServedSession} from './agent-member.ts';
import {readableRequest} from './readable-messages.ts';
import type {UpdateRouter} from './update-router.ts';

/** The sessions of a connection, oldest first, and which of them a message is of. */
interface ConnectedSessions {
  readonly members: ReadonlySet<AgentMember>;
  readonly router: UpdateRouter<AgentMember>;
}

interface ConnectOptions {
  readonly offer: ClientOffer;
  /** How the agent was named. */
  readonly label: string;
  readonly version: string;
  readonly wire: WireListener;
  readonly log: Log;
}

/** Speaks the protocol with an agent that was launched. Brings the SDK with it, so it is loaded when one was. */
export function connectProtocol(
  process: AgentProcess | RemoteAgent,
  sessions: ConnectedSessions,
  {offer, label, version, wire, log}: ConnectOptions,
): Connection {
  const transport = 'transport' in process ? process.transport : stdioTransport(process);
  return connect(paced(transport, wire.pace), createHandlers(offer, sessions), {
    clientInfo: {name: 'acp-tui', title: 'acp-tui', version},
    command: label,
    trace: traceContext(env),
    onWire(message) {
      wire.onWire?.(message);
      wire.onEvent?.({kind: 'message', pid: process.pid, ...message});
    },
    log,
  });
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
 * Hands the agent's requests to the host of the session that they name, and its updates to the router. Requests of a session that is not
 * open are refused.
 */
function createHandlers({fs, terminal}: ClientOffer, {router, members}: ConnectedSessions): ClientHandlers {
  function of({sessionId}: {readonly sessionId: string}): ServedSession {
    const owner = router.owner(sessionId);
    if (!owner) throw RequestError.sessionNotFound(sessionId);
    return owner.served;
  }

  /** A question without a session belongs to what the agent is waited for, such as a sign-in. */
  function asked(request: acp.CreateElicitationRequest): ServedSession {
    if ('sessionId' in request && typeof request.sessionId === 'string')
      return of({sessionId: request.sessionId});
    const served = Array.from(members, (member) => member.served);
    const waiting = served.find(({giveUp}) => giveUp !== undefined) ?? served.at(-1);
    if (!waiting) throw RequestError.internalError();
    return waiting;
  }

  const all = (tell: (served: ServedSession) => void) => members.forEach(({served}) => tell(served));

  return {
    sessionUpdate: router.receive,
    limited(text) {
      const [first] = members;
      first?.served.sink.emit({type: 'notice', level: 'warning', text, at: Date.now()});
    },
    authStatusChanged: (status) =>
      all(({sink}) => sink.emit({type: 'auth_status_reported', status, at: Date.now()})),
    requestPermission: async (prompt, signal) => requestPermission(of(prompt.request), prompt, signal),
    createElicitation: async (request, signal) => valueOf(await elicit(asked(request), request, signal)),
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

/** A request that only asks questions is a form; any other goes to the host. */
async function requestPermission(
  served: ServedSession,
  asked: PermissionPrompt,
  signal: AbortSignal,
): Promise<acp.RequestPermissionResponse> {
  const {host, sink} = served;
  const {sessionId, toolCall: wanted} = asked.request;
  const known = toolCall(sessionOf(sink.state(), sessionId), wanted.toolCallId);
  const questions = userQuestions(asked.request, known);
  if (!questions) return host.requestPermission(readableRequest(served, asked), signal);
  const answer = await elicit(served, questions.form, signal);
  return questions.respond(answer.ok ? answer.value : undefined);
}

/** Asks the user; a refused question shows a notice. */
async function elicit(
  {host, sink}: ServedSession,
  request: acp.CreateElicitationRequest,
  signal: AbortSignal,
): Promise<Answer<acp.CreateElicitationResponse>> {
  const answer = await host.elicit(request, signal);
  if (!answer.ok) {
    const text = `Rejected a question from the agent: ${sanitizeLine(answer.message)}.`;
    sink.emit({type: 'elicitation_refused', text, at: Date.now()});
  }
  return answer;
}

/** An agent that cannot create a file unless it could read it gets an empty one. */
function forgiving(answer: Answer<acp.ReadTextFileResponse>, agentName: string | undefined): typeof answer {
  const isMissing = !answer.ok && answer.code === NOT_FOUND;
  return isMissing && quirksOf(agentName).emptyFileWhenMissing ? {ok: true, value: {content: ''}} : answer;
}

/** The value, or the JSON-RPC error that the host decided on. */
function valueOf<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw new RequestError(answer.code, answer.message, answer.data);
}

/** A subagent's commands run in its own folder, where it does not name another ("Subagents"). */
function withFolder({sink}: ServedSession, request: acp.CreateTerminalRequest): acp.CreateTerminalRequest {
  const {sessionId, cwd} = request;
  if (cwd || !isSubagent(sink.state(), sessionId)) return request;
  return {...request, cwd: sessionOf(sink.state(), sessionId).cwd};
}

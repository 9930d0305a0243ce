import {RequestError} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AgentProcess} from '../../agents/launch.ts';
import {quirksOf, requestedCallAsMeant, updateAsMeant} from '../../agents/quirks.ts';
import {locateDiffs} from '../../host/files/locate-diffs.ts';
import type {Answer, PermissionPrompt, Host} from '../../host/services.ts';
import {connect} from '../../protocol/connect.ts';
import type {Connection} from '../../protocol/connection.ts';
import type {ClientHandlers} from '../../protocol/handlers-interface.ts';
import {type Transport, stdioTransport} from '../../protocol/transport.ts';
import {userQuestions} from '../../protocol/user-questions.ts';
import type {Update, UpdateOf} from '../../session/events.ts';
import {toolCall} from '../../session/selectors.ts';
import {askingSession} from '../../session/subagents/nested.ts';
import {isSubagent, sessionOf} from '../../session/subagents/tree.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {ClientContext} from '../context.ts';
import type {WireListener} from '../options.ts';
import type {UpdateRouter} from './update-router.ts';

/** Speaks the protocol with an agent that was launched. Brings the SDK with it, so it is loaded when one was. */
export function connectProtocol(
  context: ClientContext,
  process: AgentProcess,
  updates: UpdateRouter,
): Connection {
  const {options, sink, wire} = context;
  return connect(paced(stdioTransport(process), wire.pace), createHandlers(context, updates), {
    clientInfo: {name: 'acp-tui', title: 'acp-tui', version: options.version},
    command: options.agent.label,
    onWire(message) {
      wire.onWire?.(message);
      wire.onEvent?.({kind: 'message', pid: process.pid, ...message});
    },
    log: sink.log,
  });
}

/** A transport whose lines wait while somebody downstream is slow. */
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

/** Hands the agent's requests to the host, and its updates to the router. Requests of a session that is not open are refused. */
function createHandlers(context: ClientContext, updates: UpdateRouter): ClientHandlers {
  const {host, options, sink} = context;
  const {fs, terminal} = options.offer;

  function check({sessionId}: {readonly sessionId: string}): void {
    if (sessionId !== sink.state().sessionId && !isSubagent(sink.state(), sessionId))
      throw RequestError.sessionNotFound(sessionId);
  }

  return {
    sessionUpdate: (sessionId, update) => updates.receive(sessionId, readableUpdate(context, update)),
    limited: (text) => sink.emit({type: 'notice', level: 'warning', text, at: Date.now()}),
    authStatusChanged: (status) => sink.emit({type: 'auth_status_told', status, at: Date.now()}),
    async requestPermission(asked, signal) {
      check(asked.request);
      return requestPermission(context, asked, signal);
    },
    async createElicitation(request, signal) {
      if ('sessionId' in request && typeof request.sessionId === 'string')
        check({sessionId: request.sessionId});
      return valueOf(await elicit(context, request, signal));
    },
    elicitationCompleted: ({elicitationId}) => host.completeElicitation(elicitationId),
    ...(fs && {
      async readTextFile(request, signal) {
        check(request);
        return valueOf(forgiving(await host.read(request, signal), sink.state().agent?.name));
      },
      async writeTextFile(request, signal) {
        check(request);
        return valueOf(await host.write(request, signal));
      },
    }),
    ...(terminal && {
      async createTerminal(request, signal) {
        check(request);
        return valueOf(await host.createTerminal(withFolder(context, request), signal));
      },
      async terminalOutput(request) {
        check(request);
        return valueOf(host.terminals.output(request.terminalId));
      },
      async waitForTerminalExit(request, signal) {
        check(request);
        return valueOf(await host.terminals.waitForExit(request.terminalId, signal));
      },
      async killTerminal(request) {
        check(request);
        return valueOf(await host.terminals.kill(request.terminalId));
      },
      async releaseTerminal(request) {
        check(request);
        return valueOf(await host.terminals.release(request.terminalId));
      },
    }),
  };
}

/** A request that only asks questions is a form; any other goes to the host. */
async function requestPermission(
  context: ClientContext,
  asked: PermissionPrompt,
  signal: AbortSignal,
): Promise<acp.RequestPermissionResponse> {
  const {host, sink} = context;
  const {sessionId, toolCall: wanted} = asked.request;
  const known = toolCall(sessionOf(sink.state(), sessionId), wanted.toolCallId);
  const questions = userQuestions(asked.request, known);
  if (!questions) return host.requestPermission(readableRequest(context, asked), signal);
  const answer = await elicit(context, questions.form, signal);
  return questions.respond(answer.ok ? answer.value : undefined);
}

/** Asks the user; a question that is refused is told. */
async function elicit(
  {host, sink}: ClientContext,
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

/** An update without its agent's oddities, its diffs with their places, its plan with its text. */
function readableUpdate({host, sink, options}: ClientContext, update: Update): Update {
  if (update.sessionUpdate === 'plan_update') return withPlanText(update, host);
  return withPlaces(updateAsMeant(update, sink.state().agent?.name), options.cwd);
}

/** A plan that is kept in a file is shown as that file's text, where it may be read. */
function withPlanText(update: UpdateOf<'plan_update'>, host: Pick<Host, 'readPlan'>): Update {
  const {plan} = update;
  const file = plan.type === 'file' ? host.readPlan(plan.uri) : undefined;
  if (!file) return update;
  const content = `\`${file.name}\`\n\n${file.text}`;
  return {...update, plan: {type: 'markdown', planId: plan.planId, content}};
}

/** The same for a request. */
function readableRequest({sink, options}: ClientContext, asked: PermissionPrompt): PermissionPrompt {
  const {request} = asked;
  const sessionId = askingSession(sink.state(), request.sessionId, request.toolCall._meta);
  const toolCall = requestedCallAsMeant(request.toolCall, sink.state().agent?.name);
  return withPlacesAsked({...asked, request: {...request, sessionId, toolCall}}, options.cwd);
}

/** A subagent's commands run in its own folder, where it does not name another ("Subagents"). */
function withFolder({sink}: ClientContext, request: acp.CreateTerminalRequest): acp.CreateTerminalRequest {
  const {sessionId, cwd} = request;
  if (cwd || !isSubagent(sink.state(), sessionId)) return request;
  return {...request, cwd: sessionOf(sink.state(), sessionId).cwd};
}

function withPlaces(update: Update, cwd: string): Update {
  if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return update;
  const content = locateDiffs(update.content, cwd);
  return content === update.content ? update : ({...update, content} as Update);
}

function withPlacesAsked(asked: PermissionPrompt, cwd: string): PermissionPrompt {
  const {request} = asked;
  const content = locateDiffs(request.toolCall.content, cwd);
  if (content === request.toolCall.content || content === undefined) return asked;
  return {...asked, request: {...request, toolCall: {...request.toolCall, content}}};
}

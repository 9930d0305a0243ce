import {RequestError} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {quirksOf} from '../agents/quirks.ts';
import type {Answer, AskedPermission} from '../host/services.ts';
import type {ClientHandlers} from '../protocol/handlers-interface.ts';
import {userQuestions} from '../protocol/user-questions.ts';
import {toolCall} from '../session/selectors.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {askedAsMeant, updateAsMeant} from './as-meant.ts';
import type {ClientContext} from './context.ts';
import type {UpdateRouter} from './update-router.ts';

/** "Resource not found", see docs/permissions.md. */
const NOT_FOUND = -32002;

/** Hands the agent's requests to the host, and its updates to the router. Requests of a session that is not open are refused. */
export function createHandlers(context: ClientContext, updates: UpdateRouter): ClientHandlers {
  const {host, options, link} = context;
  const {fs, terminal} = options.offer;

  function check({sessionId}: {readonly sessionId: string}): void {
    if (sessionId !== link.state().sessionId) throw RequestError.sessionNotFound(sessionId);
  }

  return {
    sessionUpdate: (sessionId, update) => updates.receive(sessionId, updateAsMeant(context, update)),
    limited: (text) => link.emit({type: 'notice', level: 'warning', text, at: Date.now()}),
    authStatusChanged: (status) => link.emit({type: 'auth_status_told', status, at: Date.now()}),
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
        return valueOf(forgiving(await host.read(request, signal), link.state().agent?.name));
      },
      async writeTextFile(request, signal) {
        check(request);
        return valueOf(await host.write(request, signal));
      },
    }),
    ...(terminal && {
      async createTerminal(request, signal) {
        check(request);
        return valueOf(await host.createTerminal(request, signal));
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
  asked: AskedPermission,
  signal: AbortSignal,
): Promise<acp.RequestPermissionResponse> {
  const {host, link} = context;
  const known = toolCall(link.state(), asked.request.toolCall.toolCallId);
  const questions = userQuestions(asked.request, known);
  if (!questions) return host.requestPermission(askedAsMeant(context, asked), signal);
  const answer = await elicit(context, questions.form, signal);
  return questions.respond(answer.ok ? answer.value : undefined);
}

/** Asks the user; a question that is refused is told. */
async function elicit(
  {host, link}: ClientContext,
  request: acp.CreateElicitationRequest,
  signal: AbortSignal,
): Promise<Answer<acp.CreateElicitationResponse>> {
  const answer = await host.elicit(request, signal);
  if (!answer.ok) {
    const text = `A question of the agent was refused: ${sanitizeLine(answer.message)}.`;
    link.emit({type: 'elicitation_refused', text, at: Date.now()});
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

import {RequestError} from '@agentclientprotocol/sdk/unstable';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {quirksOf} from '../agents/quirks/index.ts';
import {placeDiffs} from '../host/place-diffs.ts';
import type {Answer, AskedPermission} from '../host/services.ts';
import type {ClientHandlers} from '../protocol/handlers-interface.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import type {ClientContext} from './context.ts';
import type {Update} from '../session/events.ts';
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
      return host.requestPermission(askedAsMeant(context, asked), signal);
    },
    async createElicitation(request, signal) {
      if ('sessionId' in request && typeof request.sessionId === 'string')
        check({sessionId: request.sessionId});
      const answer = await host.elicit(request, signal);
      if (!answer.ok) {
        const text = `A question of the agent was refused: ${sanitizeLine(answer.message)}.`;
        link.emit({type: 'elicitation_refused', text, at: Date.now()});
      }
      return valueOf(answer);
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

/** An update without its agent's oddities, its diffs with their places. */
function updateAsMeant({link, options}: ClientContext, update: Update): Update {
  return withPlaces(asMeant(update, link.state().agent?.name), options.cwd);
}

/** The same for a request. */
function askedAsMeant({link, options}: ClientContext, asked: AskedPermission): AskedPermission {
  return withPlacesAsked(withCommand(asked, link.state().agent?.name), options.cwd);
}

/** A message that only tells the mode becomes what tells it. */
function asMeant(update: Update, agentName: string | undefined): Update {
  if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') return update;
  const currentModeId = /^\[MODE_UPDATE\] (\S+)$/.exec(update.content.text)?.[1];
  if (currentModeId === undefined || !quirksOf(agentName).modeAsMessage) return update;
  return {sessionUpdate: 'current_mode_update', currentModeId};
}

function withPlaces(update: Update, cwd: string): Update {
  if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return update;
  const content = placeDiffs(update.content, cwd);
  return content === update.content ? update : ({...update, content} as Update);
}

function withPlacesAsked(asked: AskedPermission, cwd: string): AskedPermission {
  const {request} = asked;
  const content = placeDiffs(request.toolCall.content, cwd);
  if (content === request.toolCall.content || content === undefined) return asked;
  return {...asked, request: {...request, toolCall: {...request.toolCall, content}}};
}

/** An agent that cannot create a file unless it could read it gets an empty one. */
function forgiving(answer: Answer<acp.ReadTextFileResponse>, agentName: string | undefined): typeof answer {
  const isMissing = !answer.ok && answer.code === NOT_FOUND;
  return isMissing && quirksOf(agentName).emptyFileWhenMissing ? {ok: true, value: {content: ''}} : answer;
}

/** Rules of commands need the command, wherever an agent tells it. */
function withCommand(asked: AskedPermission, agentName: string | undefined): AskedPermission {
  const {request} = asked;
  const {kind, title, rawInput} = request.toolCall;
  const isUntold = kind === 'execute' && typeof title === 'string' && rawInput === undefined;
  if (!isUntold || !quirksOf(agentName).commandAsTitle) return asked;
  return {...asked, request: {...request, toolCall: {...request.toolCall, rawInput: {command: title}}}};
}

/** The value, or the JSON-RPC error that the host decided on. */
function valueOf<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  throw new RequestError(answer.code, answer.message, answer.data);
}

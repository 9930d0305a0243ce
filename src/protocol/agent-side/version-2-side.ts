import {errorMessage} from '../../shared/failure.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {initializeResponse, isRemoved, openedResponse, requestOf} from './received-requests.ts';
import {createSentTurns, type SentTurns} from './sent-turns.ts';
import {createSentUpdates, type SentUpdates} from './sent-updates.ts';
import {permissionRequest, updateMessage} from './sent-values.ts';

/** Translates between an agent and its client. Each function returns what is passed on. */
export interface AgentSide {
  readonly received: (message: JsonObject) => readonly JsonObject[];
  readonly sent: (message: JsonObject) => readonly JsonObject[];
}

/** Sends an update of a session, as version 2 has it. */
export type SendUpdate = (sessionId: string, update: JsonObject) => void;

/** Requests of version 1 that an agent carries out itself where its client has only version 2. */
export type OwnMethods = (
  send: SendUpdate,
) => Readonly<Record<string, (params: JsonObject) => Promise<object>>>;

interface Version2Tools {
  /** Passes a message on to the agent. */
  readonly deliver: (message: JsonObject) => void;
  /** Sends a message to the client. */
  readonly send: (message: JsonObject) => void;
  readonly ownMethods?: OwnMethods | undefined;
}

interface Connection extends Pick<Version2Tools, 'deliver' | 'send'> {
  readonly own: ReturnType<OwnMethods> | undefined;
  readonly sessions: Sessions;
  /** The client's unanswered requests. */
  readonly asked: Map<unknown, {readonly method: string; readonly sessionId: unknown}>;
}

/** Translates an agent of version 1 for a client of version 2. */
export function createVersion2Side({ownMethods, ...tools}: Version2Tools): AgentSide {
  const own = ownMethods?.((sessionId, update) => tools.send(updateMessage(sessionId, update)));
  const connection: Connection = {...tools, own, sessions: createSessions(), asked: new Map()};
  return {
    received: (message) => received(connection, message),
    sent(message) {
      const {id, method} = message;
      if (typeof method !== 'string') return responded(connection, message);
      return id === undefined ? notified(connection, message) : requested(connection, message, method);
    },
  };
}

interface Session {
  readonly updates: SentUpdates;
  readonly turns: SentTurns;
}

type Sessions = ReturnType<typeof createSessions>;

function createSessions() {
  const sessions = new Map<unknown, Session>();
  return {
    of(id: unknown): Session {
      const known = sessions.get(id);
      if (known) return known;
      const made = {updates: createSentUpdates(), turns: createSentTurns(String(id))};
      sessions.set(id, made);
      return made;
    },
    /** Called for an answer of the client, or once none is waited for. */
    answered: (id: unknown) => [...sessions.values()].flatMap(({turns}) => turns.answered(id)),
  };
}

function received({sessions, asked, send, own}: Connection, message: JsonObject): readonly JsonObject[] {
  const {id, method} = message;
  if (typeof method !== 'string') {
    sessions.answered(id).forEach(send);
    return [message];
  }
  if (id === undefined) return [message];
  if (isRemoved(method)) {
    send({id, error: {code: -32601, message: `Method not found: ${method}`}});
    return [];
  }
  const params = paramsOf(message);
  const {sessionId, prompt} = params;
  asked.set(id, {method, sessionId});
  if (method === 'session/prompt') sessions.of(sessionId).turns.prompted(id, prompt);
  return [{...message, ...requestOf(method, params, own !== undefined)}];
}

/** After these, a client may have other tool calls than were sent, or none that go on. */
const UNCERTAIN: ReadonlySet<unknown> = new Set([
  'session/prompt',
  'session/resume',
  'session/attach',
  'session/close',
]);

function responded({sessions, asked}: Connection, message: JsonObject): readonly JsonObject[] {
  const {id, result} = message;
  const {method, sessionId} = asked.get(id) ?? {};
  asked.delete(id);
  if (UNCERTAIN.has(method)) sessions.of(sessionId).updates.forgetCall();
  if (method === 'session/prompt') return sessions.of(sessionId).turns.ended(message);
  if (!isJsonObject(result)) return [message];
  if (method === 'initialize') return [{...message, result: initializeResponse(result)}];
  const state = method === 'session/resume' ? sessions.of(sessionId).turns.snapshot() : [];
  return [...state, {...message, result: openedResponse(result)}];
}

function requested(
  {own, sessions, deliver}: Connection,
  message: JsonObject,
  method: string,
): readonly JsonObject[] {
  const {id} = message;
  const params = paramsOf(message);
  const carriedOut = own?.[method]?.(params);
  carriedOut?.then(
    (result) => deliver({id, result}),
    (error: unknown) => deliver({id, error: {code: -32603, message: errorMessage(error)}}),
  );
  if (carriedOut) return [];
  const {updates, turns} = sessions.of(params['sessionId']);
  const {toolCall} = params;
  // A client may take the content of the request for that of the call.
  if (isJsonObject(toolCall)) updates.forgetCall(toolCall['toolCallId']);
  const sent = method === 'session/request_permission' ? permissionRequest(params) : params;
  return [{...message, params: sent}, ...turns.asks(id)];
}

function notified({sessions}: Connection, message: JsonObject): readonly JsonObject[] {
  const {sessionId, update, requestId} = paramsOf(message);
  if (message['method'] === '$/cancel_request') return [message, ...sessions.answered(requestId)];
  if (message['method'] !== 'session/update' || !isJsonObject(update)) return [message];
  const {updates, turns} = sessions.of(sessionId);
  const kind = update['sessionUpdate'];
  if (kind === 'user_message') {
    updates.promptTaken();
    return turns.begun(update);
  }
  if (kind === 'state_update') return turns.changed(update);
  return updates.translate(update).map((each) => updateMessage(String(sessionId), each));
}

function paramsOf({params}: JsonObject): JsonObject {
  return isJsonObject(params) ? params : {};
}

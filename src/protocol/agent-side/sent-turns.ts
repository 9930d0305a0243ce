import {randomUUID} from 'node:crypto';
import {updateMessage} from './sent-values.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';

/** Tells version 2's client how far the prompts of a session are. Each function returns the messages to send. */
export interface SentTurns {
  prompted(id: unknown, content: unknown): void;
  /** The agent has taken a prompt: the oldest one that it has not taken yet. */
  begun(update: JsonObject): readonly JsonObject[];
  /** The agent's response to a prompt, which in version 1 ends its turn. */
  ended(response: JsonObject): readonly JsonObject[];
  /** What the agent says of the session's state; that of a turn is known. */
  changed(update: JsonObject): readonly JsonObject[];
  /** A request to the client: the turn waits for its answer. */
  asks(id: unknown): readonly JsonObject[];
  answered(id: unknown): readonly JsonObject[];
  /** The present state. */
  snapshot(): readonly JsonObject[];
}

/** The error of a prompt that was cancelled before it was taken. */
const NOT_TAKEN = {code: -32800, message: 'Request cancelled'};

export function createSentTurns(sessionId: string): SentTurns {
  const waiting = new Map<unknown, unknown>();
  const questions = new Set<unknown>();
  let turn: {readonly id: unknown} | undefined;
  /** What the agent has said last. */
  let said: JsonObject = {sessionUpdate: 'state_update', state: 'idle'};

  const message = (update: JsonObject) => updateMessage(sessionId, update);
  const state = (name: string, more: JsonObject = {}) =>
    message({sessionUpdate: 'state_update', state: name, ...more});

  function begin(id: unknown, update: JsonObject): readonly JsonObject[] {
    const {messageId = randomUUID(), content = waiting.get(id)} = update;
    waiting.delete(id);
    turn = {id};
    return [
      state('running'),
      message({...update, sessionUpdate: 'user_message', messageId, content}),
      {id, result: {messageId}},
    ];
  }

  return {
    prompted: (id, content) => void waiting.set(id, content),
    begun(update) {
      const [id] = waiting.keys();
      return waiting.size === 0 || turn ? [] : begin(id, update);
    },
    ended(response) {
      const {id, result, error} = response;
      const {stopReason = 'end_turn', usage} = isJsonObject(result) ? result : {};
      if (waiting.has(id) && (isJsonObject(error) || stopReason === 'cancelled')) {
        waiting.delete(id);
        return [isJsonObject(error) ? response : {id, error: NOT_TAKEN}];
      }
      const begun = waiting.has(id) ? begin(id, {}) : [];
      turn = undefined;
      questions.clear();
      const end = isJsonObject(error)
        ? {stopReason: 'error', error}
        : {stopReason, ...(isJsonObject(usage) && {usage})};
      const next = said['state'] === 'idle' ? [] : [message(said)];
      return [...begun, state('idle', end), ...next];
    },
    changed(update) {
      said = update;
      return turn ? [] : [message(update)];
    },
    asks(id) {
      if (!turn) return [];
      questions.add(id);
      return [state('requires_action')];
    },
    answered(id) {
      const isLast = questions.delete(id) && questions.size === 0;
      return isLast && turn ? [state('running')] : [];
    },
    snapshot: () => [turn ? state('running') : message(said)],
  };
}

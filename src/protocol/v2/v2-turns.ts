import {RequestError} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import {isJsonObject, type JsonObject} from '../../text/json.ts';

interface Turn {
  readonly ended: PromiseWithResolvers<object>;
  /** True once the agent has accepted the prompt, or reported that it works on it. */
  hasBegun: boolean;
  /** True while the agent still works on something else. */
  isBehind: boolean;
  /** True once it has said or done something. */
  hasSaid: boolean;
}

const OF_TURN = /^(?:agent_|tool_call|plan)/;

/** Matches prompts and turns: version 2 responds to a prompt when it is accepted, and reports later that the session is idle ("Prompt Lifecycle"). */
export function createTurns() {
  const turns = new Map<string, Turn>();
  /** The last `state_update` of each session. */
  const states = new Map<string, JsonObject>();
  return {
    /** Resolves to the version 1 response. */
    async prompted(params: unknown, accepted: Promise<unknown>): Promise<object> {
      const sessionId = isJsonObject(params) ? String(params['sessionId']) : '';
      const isBehind = isWork(states.get(sessionId));
      const ended = Promise.withResolvers<object>();
      const turn: Turn = {ended, hasBegun: false, isBehind, hasSaid: false};
      turns.set(sessionId, turn);
      accepted.then(
        (response) => {
          turn.hasBegun = true;
          // As in version 1, where the response ends the turn.
          if (isJsonObject(response) && typeof response['stopReason'] === 'string') end(turn, response);
        },
        (error: unknown) => turn.ended.reject(error),
      );
      return ended.promise.finally(() => turns.get(sessionId) === turn && turns.delete(sessionId));
    },
    updated(sessionId: string, update: JsonObject): void {
      const turn = turns.get(sessionId);
      const kind = String(update['sessionUpdate']);
      if (turn && OF_TURN.test(kind)) turn.hasSaid = true;
      if (kind !== 'state_update' || !(isWork(update) || update['state'] === 'idle')) return;
      const before = states.get(sessionId);
      states.set(sessionId, update);
      if (!turn) return;
      if (isWork(update)) turn.hasBegun ||= !turn.isBehind;
      else if (turn.hasBegun && (isWork(before) || isNews(update, before, turn))) end(turn, update);
      // What went on before the prompt has ended.
      else turn.isBehind = false;
    },
    forget: (sessionId: string) => void states.delete(sessionId),
  };
}

function isWork(update: JsonObject | undefined): boolean {
  return update?.['state'] === 'running' || update?.['state'] === 'requires_action';
}

/** False for an idle state that only repeats the last one, such as with other work in the background: it may have the reason of the last end. */
function isNews({stopReason}: JsonObject, before: JsonObject | undefined, {hasSaid}: Turn): boolean {
  return typeof stopReason === 'string' && (hasSaid || stopReason !== before?.['stopReason']);
}

/** The usage of a turn is in version 1's response to its prompt. */
function end({ended}: Turn, {stopReason, usage, error}: JsonObject): void {
  if (stopReason !== 'error')
    return ended.resolve({stopReason: stopReason ?? 'end_turn', ...(isJsonObject(usage) && {usage})});
  const {code, message, data} = isJsonObject(error) ? error : {};
  const text = typeof message === 'string' ? message : 'The turn failed';
  ended.reject(new RequestError(typeof code === 'number' ? code : -32603, text, data));
}

import {RequestError} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import {isJsonObject, type JsonObject} from '../../text/json.ts';

interface Turn {
  readonly ended: PromiseWithResolvers<object>;
  /** True once the agent has accepted the prompt, or reported that it is working. */
  hasBegun: boolean;
}

/** Matches prompts and turns: version 2 responds to a prompt when it is accepted, and reports later that the session is idle ("Prompt Lifecycle"). */
export function createTurns() {
  const turns = new Map<string, Turn>();
  return {
    /** Resolves to the version 1 response. */
    async prompted(params: unknown, accepted: Promise<unknown>): Promise<object> {
      const sessionId = isJsonObject(params) ? String(params['sessionId']) : '';
      const turn: Turn = {ended: Promise.withResolvers<object>(), hasBegun: false};
      turns.set(sessionId, turn);
      accepted.then(
        (response) => {
          turn.hasBegun = true;
          // As in version 1, where the response ends the turn.
          if (isJsonObject(response) && typeof response['stopReason'] === 'string') end(turn, response);
        },
        (error: unknown) => turn.ended.reject(error),
      );
      return turn.ended.promise.finally(() => turns.get(sessionId) === turn && turns.delete(sessionId));
    },
    changed(sessionId: string, update: JsonObject): void {
      const turn = turns.get(sessionId);
      if (!turn) return;
      if (update['state'] !== 'idle') turn.hasBegun = true;
      // A snapshot from before the prompt is not the end of its turn.
      else if (turn.hasBegun) end(turn, update);
    },
  };
}

/** The usage of a turn is in version 1's response to its prompt. */
function end({ended}: Turn, {stopReason, usage, error}: JsonObject): void {
  if (stopReason !== 'error')
    return ended.resolve({stopReason: stopReason ?? 'end_turn', ...(isJsonObject(usage) && {usage})});
  const {code, message, data} = isJsonObject(error) ? error : {};
  const text = typeof message === 'string' ? message : 'The turn failed';
  ended.reject(new RequestError(typeof code === 'number' ? code : -32603, text, data));
}

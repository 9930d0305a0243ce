import {RequestError, type StateUpdate} from '@agentclientprotocol/sdk/experimental/v2';
import {isJsonObject} from '../../text/json.ts';

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
        () => (turn.hasBegun = true),
        (error: unknown) => turn.ended.reject(error),
      );
      return turn.ended.promise.finally(() => turns.get(sessionId) === turn && turns.delete(sessionId));
    },
    changed(sessionId: string, update: StateUpdate): void {
      const turn = turns.get(sessionId);
      if (!turn) return;
      if (update.state !== 'idle') turn.hasBegun = true;
      // A snapshot from before the prompt is not the end of its turn.
      else if (turn.hasBegun) end(turn, update);
    },
  };
}

function end({ended}: Turn, update: StateUpdate): void {
  const stopReason = 'stopReason' in update ? update.stopReason : undefined;
  if (stopReason !== 'error') return ended.resolve({stopReason: stopReason ?? 'end_turn'});
  const error = 'error' in update && isJsonObject(update.error) ? update.error : {};
  const {code = -32603, message = 'The turn failed', data} = error;
  ended.reject(new RequestError(Number(code), String(message), data));
}

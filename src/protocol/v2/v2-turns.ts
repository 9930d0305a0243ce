import {RequestError} from '@agentclientprotocol/sdk/experimental/v2/unstable';
import {isJsonObject, type JsonObject} from '../../text/json.ts';

/** `behind`: the agent still works on something else. `begun`: it has said or done something for the prompt, or was asked to cancel it. */
type Phase = 'behind' | 'waiting' | 'accepted' | 'begun';

interface Turn {
  readonly ended: PromiseWithResolvers<object>;
  phase: Phase;
}

/** An agent reports the prompt as a message once it takes it up. */
const OF_TURN = /^(?:user_message|agent_|tool_call|plan)/;

/** Matches prompts and turns: version 2 responds to a prompt when it is accepted, and reports later that the session is idle ("Prompt Lifecycle"). */
export function createTurns() {
  const turns = new Map<string, Turn>();
  /** The last `state_update` of each session. */
  const states = new Map<string, JsonObject>();
  return {
    /** Resolves to the version 1 response. `report` takes the parameters of an update that the agent does not send. */
    async prompted(
      params: unknown,
      accepted: Promise<unknown>,
      report: (params: object) => void,
    ): Promise<object> {
      const sessionId = sessionIn(params);
      const turn: Turn = {
        ended: Promise.withResolvers<object>(),
        phase: isWork(states.get(sessionId)) ? 'behind' : 'waiting',
      };
      turns.set(sessionId, turn);
      accepted.then(
        (response) => {
          const isOwn = turn.phase !== 'behind';
          // Taken into the other work, it ends with that.
          if (turn.phase !== 'begun') turn.phase = turn.phase === 'behind' ? 'begun' : 'accepted';
          // As in version 1, where the response ends the turn, and with it the work that it began.
          if (!isJsonObject(response) || typeof response['stopReason'] !== 'string') return;
          end(turn, response);
          if (isOwn && turns.get(sessionId) === turn && isWork(states.get(sessionId)))
            report({sessionId, update: {sessionUpdate: 'state_update', state: 'idle'}});
        },
        (error: unknown) => turn.ended.reject(error),
      );
      return turn.ended.promise.finally(() => turns.get(sessionId) === turn && turns.delete(sessionId));
    },
    updated(sessionId: string, update: JsonObject): void {
      const turn = turns.get(sessionId);
      const kind = String(update['sessionUpdate']);
      const isWorking = kind === 'state_update' && isWork(update);
      const isIdle = kind === 'state_update' && update['state'] === 'idle';
      if (turn && turn.phase !== 'behind' && (isWorking || OF_TURN.test(kind))) turn.phase = 'begun';
      if (!isWorking && !isIdle) return;
      const before = states.get(sessionId);
      states.set(sessionId, update);
      if (!turn || isWorking) return;
      if (turn.phase === 'behind') turn.phase = 'waiting';
      else if (turn.phase === 'begun' || (turn.phase === 'accepted' && isNews(update, before)))
        end(turn, update);
    },
    /** The next idle state ends the turn, also if the agent had not begun with it. */
    cancelled(params: unknown): void {
      const turn = turns.get(sessionIn(params));
      if (turn) turn.phase = 'begun';
    },
    forget: (sessionId: string) => void states.delete(sessionId),
  };
}

function sessionIn(params: unknown): string {
  return isJsonObject(params) ? String(params['sessionId']) : '';
}

function isWork(update: JsonObject | undefined): boolean {
  return update?.['state'] === 'running' || update?.['state'] === 'requires_action';
}

/** False for an idle state that may only repeat the last one, such as with other work in the background: it may have the reason of the last end. */
function isNews({stopReason}: JsonObject, before: JsonObject | undefined): boolean {
  return typeof stopReason === 'string' && stopReason !== before?.['stopReason'];
}

/** The usage of a turn is in version 1's response to its prompt. */
function end({ended}: Turn, {stopReason, usage, error}: JsonObject): void {
  if (stopReason !== 'error')
    return ended.resolve({stopReason: stopReason ?? 'end_turn', ...(isJsonObject(usage) && {usage})});
  const {code, message, data} = isJsonObject(error) ? error : {};
  const text = typeof message === 'string' ? message : 'The turn failed';
  ended.reject(new RequestError(typeof code === 'number' ? code : -32603, text, data));
}

import type * as acp from '@agentclientprotocol/sdk/unstable';
import {compactNumber, cost, duration} from '../../text/format.ts';
import type {TurnSummary} from '../state.ts';

/** Said where an agent tells of a turn that was cancelled. */
export const INTERRUPTION = 'The turn was cancelled here.';

export const NO_ANSWER = 'The agent ended its turn without an answer.';

/** Why a turn stopped, and what that means; undefined when it failed, or ended the ordinary way. */
export function stopWords({outcome, isEmpty}: Pick<TurnSummary, 'outcome' | 'isEmpty'>): string | undefined {
  return outcome.kind === 'failed' ? undefined : reasonWords(outcome.stopReason, isEmpty);
}

function reasonWords(reason: acp.StopReason, isEmpty: true | undefined): string | undefined {
  switch (reason) {
    case 'end_turn':
      return isEmpty && `${NO_ANSWER} /log may say why.`;
    case 'cancelled':
      return 'Cancelled';
    case 'max_tokens':
      return 'Stopped: the answer reached the most tokens that the model may write. Say “go on” to continue.';
    case 'max_turn_requests':
      return 'Stopped: the agent reached the most model requests for one turn. Say “go on” to continue.';
    case 'refusal':
      return 'The agent refused to go on. Your prompt and all that followed it are not part of the conversation: the next prompt starts without them.';
    default:
      return `Stopped: ${String(reason)}`;
  }
}

/** How long a turn took and what it cost, as far as that is known. */
export function turnFacts(summary: TurnSummary): string[] {
  return [
    duration(summary.durationMs),
    summary.usage && `${compactNumber(summary.usage.totalTokens)} tokens`,
    summary.cost?.amount ? cost(summary.cost) : undefined,
  ].filter((fact) => fact !== undefined);
}

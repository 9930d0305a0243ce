import type {TurnEndEntry} from '../../../src/session/entries.ts';
import type {TurnSummary} from '../../../src/session/state.ts';
import {compactNumber, cost, duration} from '../../../src/text/format.ts';
import {truncate} from '../../../src/text/truncate.ts';
import type {Draw} from '../../draw/draw.ts';
import {hanging} from '../../draw/lines.ts';
import {drawFailureText} from './failure.ts';

/** How a turn ended: why, when that is not the ordinary way, then how long it took and what it cost. */
export function drawTurnEnd({summary}: TurnEndEntry, draw: Draw): string[] {
  return [...drawOutcome(summary, draw), ...drawFacts(summary, draw)];
}

function drawOutcome({outcome}: TurnSummary, draw: Draw): string[] {
  const {paint, signs} = draw;
  if (outcome.kind === 'failed') return drawFailureText(outcome.failure, draw);
  const warn = (text: string) => hanging(signs.warning, text, draw).map((line) => paint.warning(line));
  switch (outcome.stopReason) {
    case 'end_turn':
      return [];
    case 'cancelled':
      return hanging(signs.cancelled, 'Cancelled', draw).map((line) => paint.warning(line));
    case 'max_tokens':
      return warn(
        'Stopped: the answer reached the most tokens that the model may write. Say “go on” to continue.',
      );
    case 'max_turn_requests':
      return warn(
        'Stopped: the agent reached the most model requests for one turn. Say “go on” to continue.',
      );
    case 'refusal':
      return warn(
        'The agent refused to go on. Your prompt and all that followed it are not part of the conversation: the next prompt starts without them.',
      );
    default:
      return warn(`Stopped: ${String(outcome.stopReason)}`);
  }
}

function drawFacts(summary: TurnSummary, draw: Draw): string[] {
  const {paint, signs} = draw;
  const facts = [
    duration(summary.durationMs),
    summary.usage && `${compactNumber(summary.usage.totalTokens)} tokens`,
    summary.cost?.amount ? cost(summary.cost) : undefined,
  ].filter((fact) => fact !== undefined);
  return [paint.dim(truncate(`  ${facts.join(` ${signs.dot} `)}`, draw.columns))];
}

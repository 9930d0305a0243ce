import type {TurnEndEntry} from '../../../src/session/entries.ts';
import type {TurnSummary} from '../../../src/session/state.ts';
import {stopWords, turnFacts} from '../../../src/session/words/turn-end.ts';
import {truncate} from '../../../src/text/truncate.ts';
import type {Draw} from '../../draw/draw.ts';
import {hanging} from '../../draw/lines.ts';
import {drawFailureText} from './failure.ts';

/** How a turn ended: why, when that is not the ordinary way, then how long it took and what it cost. */
export function drawTurnEnd({summary}: TurnEndEntry, draw: Draw): string[] {
  return [...drawOutcome(summary, draw), ...drawFacts(summary, draw)];
}

function drawOutcome(summary: TurnSummary, draw: Draw): string[] {
  const {outcome} = summary;
  const {paint, signs} = draw;
  if (outcome.kind === 'failed') return drawFailureText(outcome.failure, draw);
  const words = stopWords(summary);
  if (words === undefined) return [];
  const sign = outcome.stopReason === 'cancelled' ? signs.cancelled : signs.warning;
  return hanging(sign, words, draw).map((line) => paint.warning(line));
}

function drawFacts(summary: TurnSummary, draw: Draw): string[] {
  const {paint, signs} = draw;
  return [paint.dim(truncate(`  ${turnFacts(summary).join(` ${signs.dot} `)}`, draw.columns))];
}

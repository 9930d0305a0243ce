import type {TurnEndEntry, TurnSummary} from '../../src/session/entries.ts';
import {stopReasonLabel, turnFacts} from '../../src/session/labels/labels.ts';
import {timeOfDay} from '../../src/text/format.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {Theme} from '../theme/theme.tsx';
import {wrapHanging} from '../layout/lines.ts';
import {rowsOfFailure} from './failure.ts';

function rowsOfOutcome(summary: TurnSummary, theme: Theme): string[] {
  const {outcome} = summary;
  const {paint, symbols} = theme;
  if (outcome.kind === 'failed') return rowsOfFailure(outcome, theme);
  const words = stopReasonLabel(summary);
  if (words === undefined) return [];
  const sign = outcome.stopReason === 'cancelled' ? symbols.cancelled : symbols.warning;
  return wrapHanging(sign, words, theme).map((line) => paint.warning(line));
}

/** Returns the rows of the end of a turn: why, if it did not end normally, then duration, cost and the time of day. */
export function rowsOfTurnEnd({at, summary}: TurnEndEntry, theme: Theme): string[] {
  const facts = [...turnFacts(summary), timeOfDay(at)].join(' · ');
  return [...rowsOfOutcome(summary, theme), theme.paint.dim(truncate(facts, theme.columns))];
}

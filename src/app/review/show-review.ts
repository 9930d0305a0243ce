import type {ReviewRange} from '../../session/review.ts';
import type {Choice} from '../../session/settings/options.ts';
import {perform, combine, type Reaction} from '../effects.ts';
import type {Tab} from '../state.ts';
import {toast} from '../status/toasts.ts';

export const reviewRanges: readonly Choice[] = [
  {id: 'session', name: 'session', description: 'since the first prompt'},
  {id: 'turn', name: 'turn', description: 'one turn, by its number'},
];

/** Returns the range for the argument of `/review`; undefined if it is unknown. */
export function parseRange(argument: string): ReviewRange | undefined {
  if (argument === '') return {kind: 'unreviewed'};
  if (argument === 'session') return {kind: 'session'};
  const [, turn] = /^turn\s+([1-9]\d*)$/.exec(argument) ?? [];
  return turn === undefined ? undefined : {kind: 'turn', turn: Number(turn)};
}

/** Reads the changes and shows them. */
export function showReview(
  {key}: Tab,
  {range, at}: {readonly range: ReviewRange; readonly at: number},
): Reaction {
  return combine(toast('Reading the folder…', at), perform({kind: 'show_review', key, range}));
}

import {change} from './change.ts';
import type {Draft} from './draft.ts';

const KILLS_KEPT = 30;

/** Deletes up to an edge before or after the caret into the kill ring; kills in a row gather into one. */
export function killTo(draft: Draft, edge: number): Draft {
  if (edge === draft.caret) return draft;
  const from = Math.min(edge, draft.caret);
  const to = Math.max(edge, draft.caret);
  const killed = draft.text.slice(from, to);
  const gathering = draft.last === 'killing' ? draft.killRing.at(-1) : undefined;
  const kill =
    gathering === undefined ? killed : edge < draft.caret ? killed + gathering : gathering + killed;
  const others = gathering === undefined ? draft.killRing : draft.killRing.slice(0, -1);
  return {
    ...change(draft, {from, to, insert: '', as: 'killing'}),
    killRing: [...others, kill].slice(-KILLS_KEPT),
  };
}

/** Inserts what was killed last. */
export function yank(draft: Draft): Draft {
  return yankAt(draft, {from: draft.caret, to: draft.caret, index: 0});
}

/** Right after a yank: puts the kill before in its place. */
export function yankEarlier(draft: Draft): Draft {
  if (draft.last !== 'yanking' || !draft.yanked) return draft;
  const index = (draft.yanked.index + 1) % draft.killRing.length;
  return yankAt(draft, {...draft.yanked, index});
}

function yankAt(draft: Draft, place: NonNullable<Draft['yanked']>): Draft {
  const insert = draft.killRing.at(-1 - place.index);
  if (insert === undefined) return draft;
  const yanked = {from: place.from, to: place.from + insert.length, index: place.index};
  return {...change(draft, {...place, insert, as: 'yanking'}), yanked};
}

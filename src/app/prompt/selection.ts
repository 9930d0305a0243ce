import type {Draft} from './draft.ts';
import {nextEdge} from './graphemes.ts';
import {placeholderIndex} from './pastes.ts';
import {selectedSpan} from './vim/visual.ts';

/** What is shown as selected: a placeholder that the caret stands on, or the selection of vim's visual modes. */
export function selectedIn(draft: Draft): {readonly from: number; readonly to: number} | undefined {
  const span = selectedSpan(draft);
  if (span) return span;
  const {text, caret, pastes} = draft;
  if (pastes.length === 0 || placeholderIndex(text.slice(caret, caret + 2), pastes) === undefined)
    return undefined;
  return {from: caret, to: nextEdge(text, caret)};
}

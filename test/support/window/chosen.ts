import {nothing, type Reaction} from '../../../src/app/effects.ts';
import {chooseItem} from '../../../src/app/pickers/picker.ts';
import {activeSession} from '../../../src/app/sessions.ts';
import type {AppState} from '../../../src/app/state.ts';

/** Returns what selecting an item of the open list does. */
export function chooseFromList(state: AppState, id: string): Reaction {
  const {overlay} = state;
  if (overlay.kind !== 'picker') throw new Error('no list is open');
  const {picker} = overlay;
  const item = picker.items.find((candidate) => candidate.id === id);
  return item ? chooseItem(item, {state, tab: activeSession(state), picker, at: 0}) : nothing;
}

import {fold, nothing, perform, type Step} from '../effects.ts';
import type {KeyEvent} from '../input/key-event.ts';
import {actionFor} from '../keymap.ts';
import {scrolledBy} from '../scroll.ts';
import type {AppState, Scroll} from '../state.ts';
import {everywhere} from './everywhere.ts';
import {typeIntoPrompt} from './prompt-keys.ts';

/** Keys of a text that lies over the prompt. */
export function pageKey(state: AppState, key: KeyEvent, scroll: Scroll): Step {
  // The prompt is not on the screen.
  if (key.kind === 'paste') return state.overlay.kind === 'transcript' ? nothing : typeIntoPrompt(state, key);
  const action = actionFor('overlay', key, state.keymap);
  const firstRow = scrolledBy(action, scroll);
  if (firstRow !== undefined) return fold({type: 'overlay_scrolled', firstRow});
  if (action === 'close') return fold({type: 'overlay_closed', at: key.at});
  if (action === 'copy_text') return copy(state);
  return everywhere(state, action, key.at);
}

function copy({overlay}: AppState): Step {
  if (overlay.kind !== 'text') return nothing;
  return perform({kind: 'copy', text: overlay.text, what: 'the text'});
}

import {fold, perform, type Step} from '../effects.ts';
import {keyBytes} from '../input/key-bytes.ts';
import type {KeyEvent} from '../input/key-event.ts';
import {actionFor} from '../keymap.ts';
import type {AppState} from '../state.ts';

/** Keys while a command has the keyboard: all are its own but the one that leads to ours. */
export function commandKey(state: AppState, key: KeyEvent, terminalId: string): Step {
  const isOurs = key.kind === 'key' && actionFor('everywhere', key, state.keymap) === 'more_keys';
  if (isOurs) return fold({type: 'overlay_opened', overlay: {kind: 'more_keys'}});
  return typeInto(state, terminalId, keyBytes(key));
}

export function typeInto(state: AppState, terminalId: string, text: string): Step {
  return perform({kind: 'type_into', key: state.active, terminalId, text});
}

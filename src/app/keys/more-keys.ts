import {commandInHand} from '../command-keyboard.ts';
import {doToCommand, stopCommand} from '../command-choices.ts';
import {fold, nothing, together, type Step} from '../effects.ts';
import type {KeyEvent} from '../input/key-event.ts';
import {keyBytes} from '../input/key-bytes.ts';
import {actionFor, type Action} from '../keymap.ts';
import {palettePicker} from '../palette.ts';
import {openPicker} from '../picker.ts';
import {activeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {typeInto} from './command-keys.ts';
import {everywhere} from './everywhere.ts';

/** The key after Ctrl+X. A key that does nothing there closes the list. */
export function moreKey(state: AppState, key: KeyEvent): Step {
  const closed = fold({type: 'overlay_closed', at: key.at});
  if (key.kind === 'paste') return closed;
  const action = actionFor('more', key, state.keymap);
  const inHand = commandInHand(state);
  if (action === 'more_keys')
    return together(closed, inHand ? typeInto(state, inHand.id, keyBytes(key)) : nothing);
  if (action === undefined) return closed;
  const step = doAfterMore(state, action, key.at);
  return step ? together(closed, step) : everywhere(state, action, key.at);
}

/** Does what a key of the list after Ctrl+X does; undefined for all other actions. */
export function doAfterMore(state: AppState, action: Action, at: number): Step | undefined {
  const inHand = commandInHand(state);
  switch (action) {
    case 'open_palette':
      return openPicker(palettePicker(state));
    case 'give_keyboard':
      return inHand ? fold({type: 'keyboard_taken_back'}) : doToCommand(state, 'give_keyboard', at);
    case 'stop_command':
      return inHand ? stopCommand(activeSession(state), inHand, at) : doToCommand(state, 'stop_command', at);
    default:
      return undefined;
  }
}

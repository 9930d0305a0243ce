import type {TerminalState} from '../../session/state.ts';
import {commandInHand, runningCommand} from '../command-keyboard.ts';
import {fold, nothing, perform, together, type Step} from '../effects.ts';
import {hint} from '../hints.ts';
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
      return inHand ? fold({type: 'keyboard_taken_back'}) : giveKeyboard(state, at);
    case 'stop_command':
      return stopCommand(state, inHand, at);
    default:
      return undefined;
  }
}

function giveKeyboard(state: AppState, at: number): Step {
  const command = runningCommand(activeSession(state).session);
  if (!command) return hint('No command runs that could have the keyboard.', at);
  if (!command.pty) return hint('This command has no terminal of its own, so it cannot be typed into.', at);
  return fold({type: 'keyboard_given', terminalId: command.id});
}

function stopCommand(state: AppState, inHand: TerminalState | undefined, at: number): Step {
  const command = inHand ?? runningCommand(activeSession(state).session);
  if (!command) return hint('No command runs.', at);
  return together(
    perform({kind: 'stop_command', key: state.active, terminalId: command.id}),
    hint(`Stopping ${command.command ?? 'the command'}`, at),
  );
}

import {chosen, configOption, optionChoices} from '../session/options.ts';
import {currentMode, modeChoices} from '../session/selectors.ts';
import type {SessionState} from '../session/state.ts';
import {stopsAsking, valueStopsAsking} from '../session/unattended.ts';
import {perform, type Step} from './effects.ts';
import {openPicker, pickerOf} from './picker.ts';
import type {OpenSession} from './state.ts';

/** A mode, or a value of an option, that is to be set. */
export type UnattendedChoice =
  | {readonly kind: 'mode'; readonly id: string}
  | {readonly kind: 'config'; readonly configId: string; readonly value: string | boolean};

/** True when the agent would stop asking with it, and does not do so already. */
export function isUnattended(session: SessionState, choice: UnattendedChoice): boolean {
  if (choice.kind === 'mode')
    return currentMode(session)?.id !== choice.id && stopsAsking(chosen(modeChoices(session), choice.id));
  const {configId, value} = choice;
  const isSet = configOption(session, configId)?.currentValue === value;
  return !isSet && valueStopsAsking(session, configId, value);
}

/** Asks once, and says what it means. Enter alone changes nothing. */
export function askFirst(session: SessionState, choice: UnattendedChoice): Step {
  const name = nameOf(session, choice);
  return openPicker(
    pickerOf({
      purpose: {kind: 'unattended', choice},
      title: `Switch to ${name}?`,
      note:
        'The agent stops asking: it changes files and runs commands without permission requests. ' +
        'Your rules and --approve only hold for what it does through acp-tui.',
      items: [
        {id: 'keep', label: 'Keep asking'},
        {id: 'switch', label: `Switch to ${name}`},
      ],
    }),
  );
}

export function setChoice({key}: OpenSession, choice: UnattendedChoice): Step {
  if (choice.kind === 'mode') return perform({kind: 'set_mode', key, modeId: choice.id});
  return perform({kind: 'set_config', key, configId: choice.configId, value: choice.value});
}

function nameOf(session: SessionState, choice: UnattendedChoice): string {
  if (choice.kind === 'mode') return chosen(modeChoices(session), choice.id).name;
  const option = configOption(session, choice.configId);
  if (!option) return choice.configId;
  return typeof choice.value === 'string'
    ? `${option.name}: ${chosen(optionChoices(option), choice.value).name}`
    : option.name;
}

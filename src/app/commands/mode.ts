import {currentMode, modeChoices} from '../../session/selectors.ts';
import {modePicker} from '../pickers.ts';
import {settingCommand} from './setting.ts';

export const mode = settingCommand({
  name: 'mode',
  description: 'How the agent works: show or change its mode',
  choices: modeChoices,
  current: currentMode,
  picker: modePicker,
  none: 'This agent offers no modes.',
});

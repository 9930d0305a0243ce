import {currentModel, modelChoices} from '../../session/selectors.ts';
import {modelPicker} from '../pickers.ts';
import {settingCommand} from './setting.ts';

export const model = settingCommand({
  name: 'model',
  description: 'Show or change the model',
  choices: modelChoices,
  current: currentModel,
  picker: modelPicker,
  none: 'This agent offers no choice of models.',
});

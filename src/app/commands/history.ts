import {historyPicker} from '../history-search.ts';
import {openPicker} from '../picker.ts';
import type {Command} from './command.ts';

export const history: Command = {
  name: 'history',
  description: 'Search earlier prompts',
  run: ({state}) => openPicker(historyPicker(state.history, 'project')),
};

import type {ApprovalLevel} from '../session/actions.ts';
import {
  configOption,
  optionChoices,
  optionsToShow,
  optionValueName,
  type Choice,
} from '../session/options.ts';
import {currentMode, currentModel, modeChoices, modelChoices} from '../session/selectors.ts';
import type {SessionState} from '../session/state.ts';
import {pickerOf} from './picker.ts';
import type {Picker, PickerItem} from './state.ts';

export function modePicker(session: SessionState): Picker {
  const items = itemsOf(modeChoices(session), currentMode(session)?.id);
  return pickerOf({purpose: {kind: 'mode'}, title: 'Mode', items});
}

export function modelPicker(session: SessionState): Picker {
  const items = itemsOf(modelChoices(session), currentModel(session)?.id);
  return pickerOf({purpose: {kind: 'model'}, title: 'Model', items});
}

/** The options of the session, each with what it is set to. */
export function configPicker(session: SessionState): Picker {
  const items = optionsToShow(session).map((option) => ({
    id: option.id,
    label: `${option.name}: ${optionValueName(option)}`,
    description: option.description ?? undefined,
  }));
  return pickerOf({purpose: {kind: 'config'}, title: 'Options of the session', items});
}

/** The values of one option; empty when it has gone. */
export function configValuePicker(session: SessionState, configId: string): Picker {
  const option = configOption(session, configId);
  const current = option?.type === 'select' ? option.currentValue : undefined;
  return pickerOf({
    purpose: {kind: 'config_value', configId},
    title: option?.name ?? configId,
    items: itemsOf(option ? optionChoices(option) : [], current),
  });
}

export const approvalChoices: readonly (Choice & {readonly id: ApprovalLevel})[] = [
  {id: 'none', name: 'none', description: 'Ask before everything but reading files inside the roots.'},
  {id: 'reads', name: 'reads', description: 'Reading, searching and thinking go ahead.'},
  {
    id: 'edits',
    name: 'edits',
    description: 'Also edits inside the roots; deleting, moving and protected paths ask.',
  },
  {
    id: 'all',
    name: 'all',
    description: 'Everything goes ahead, except files outside the roots and protected paths.',
  },
];

export function approvalPicker(current: ApprovalLevel): Picker {
  const items = itemsOf(approvalChoices, current);
  return pickerOf({purpose: {kind: 'approval'}, title: 'What goes ahead without asking', items});
}

function itemsOf(choices: readonly Choice[], current: string | undefined): readonly PickerItem[] {
  return choices.map(({id, name, description, group}) => ({
    id,
    label: name,
    description,
    group,
    current: id === current,
  }));
}

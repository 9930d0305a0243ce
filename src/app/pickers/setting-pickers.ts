import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ApprovalLevel} from '../../session/settings/approval.ts';
import {currentMode, currentModel, modeChoices, modelChoices} from '../../session/selectors.ts';
import {
  configOption,
  configOptionOfCategory,
  optionChoices,
  optionsToShow,
  optionValueName,
  type Choice,
  choiceWithId,
} from '../../session/settings/options.ts';
import {stopsAsking, valueStopsAsking} from '../../session/settings/unattended.ts';
import type {SessionState} from '../../session/state.ts';
import {quoteAgentText} from '../../shared/agent-text.ts';
import {callAction, combine, nothing, type Reaction} from '../effects.ts';
import type {AppState, Tab, Picker, PickerPurpose, UnattendedChoice} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {allThemes} from '../themes/own-themes.ts';
import {activeSession} from '../sessions.ts';
import {pickerOf, openPicker, selectedItem, withItems, type ListItem} from './picker.ts';

/** A setting with one of several values, which is chosen in a list or by its name. */
export interface PickableSetting {
  readonly purpose?: PickerPurpose;
  readonly title: string;
  readonly choices: readonly Choice[];
  /** The id of the current value. */
  readonly current: string | undefined;
  readonly choose: (tab: Tab, id: string, at: number) => Reaction;
}

/** Returns the list of a setting's values. */
export function settingPicker({choices, current, choose, ...list}: PickableSetting): Picker {
  const items = choices.map(({id, name, description, group}): ListItem => ({
    id,
    label: name,
    description,
    group,
    current: id === current,
    choose: ({tab, at}) => choose(tab, id, at),
  }));
  return pickerOf({...list, items});
}

export function modeSetting(session: SessionState): PickableSetting {
  return {
    purpose: {kind: 'mode'},
    title: 'Mode',
    choices: modeChoices(session),
    current: currentMode(session)?.id,
    choose: (tab, id) => chooseSetting(tab, {kind: 'mode', id}),
  };
}

export function modelSetting(session: SessionState): PickableSetting {
  return {
    purpose: {kind: 'model'},
    title: 'Model',
    choices: modelChoices(session),
    current: currentModel(session)?.id,
    choose: ({key}, id) => callAction(key, 'setModel', id),
  };
}

/** Returns the session's options, each with its value. */
export function configPicker(session: SessionState): Picker {
  const items = optionsToShow(session).map((option): ListItem => ({
    id: option.id,
    label: `${option.name}: ${optionValueName(option)}`,
    description: option.description ?? undefined,
    keepsOpen: option.type === 'boolean',
    choose: ({tab}) => chooseOption(tab, option),
  }));
  return pickerOf({purpose: {kind: 'config'}, title: 'Agent options', items});
}

/** Toggles a boolean at once; shows the values of any other option. */
export function chooseOption(tab: Tab, option: acp.SessionConfigOption): Reaction {
  if (option.type === 'boolean')
    return chooseSetting(tab, {kind: 'config', configId: option.id, value: !option.currentValue});
  return openPicker(settingPicker(optionSetting(option)));
}

/** Shows the speeds of the model, or switches between the two of a boolean. */
export function chooseSpeed(tab: Tab, at: number): Reaction {
  const {session} = tab;
  const option =
    session.configOptions?.find(({category}) => category === 'speed') ??
    configOptionOfCategory(session, 'speed');
  return option ? chooseOption(tab, option) : toast('This agent has no speeds to select.', at);
}

/** Returns the reasoning effort with its values; without any if the agent has no option for it. */
export function effortSetting(session: SessionState): PickableSetting {
  const option = configOptionOfCategory(session, 'thought_level');
  return option
    ? optionSetting(option)
    : {title: 'Effort', choices: [], current: undefined, choose: () => nothing};
}

export const NO_EFFORT = 'This agent has no reasoning effort to select.';

/** Sets the reasoning effort that is one step up or down in the agent's order. */
export function changeEffort(tab: Tab, step: 1 | -1, at: number): Reaction {
  const {title, choices, current, choose} = effortSetting(tab.session);
  if (choices.length === 0) return toast(NO_EFFORT, at);
  const index = choices.findIndex(({id}) => id === current);
  const next = index + step < 0 ? undefined : choices[index + step];
  if (next) return combine(choose(tab, next.id, at), toast(`${title}: ${next.name}`, at));
  return toast(`${title} has no ${step > 0 ? 'higher' : 'lower'} value.`, at);
}

const SWITCH: readonly Choice[] = [
  {id: 'true', name: 'on'},
  {id: 'false', name: 'off'},
];

/** Returns an option with its values. */
export function optionSetting(option: acp.SessionConfigOption): PickableSetting {
  const {id: configId, name, type, currentValue} = option;
  return {
    purpose: {kind: 'config_value', configId},
    title: name,
    choices: type === 'boolean' ? SWITCH : optionChoices(option),
    current: String(currentValue),
    choose: (tab, id) =>
      chooseSetting(tab, {kind: 'config', configId, value: type === 'boolean' ? id === 'true' : id}),
  };
}

export const APPROVALS: readonly (Choice & {readonly id: ApprovalLevel})[] = [
  {id: 'none', name: 'none', description: 'Ask for everything except reading files in the workspace.'},
  {id: 'reads', name: 'reads', description: 'Reading, searching and thinking.'},
  {
    id: 'edits',
    name: 'edits',
    description: 'Also edits in the workspace, but not deletes or moves.',
  },
  {
    id: 'all',
    name: 'all',
    description: 'Everything except protected paths and paths outside the workspace.',
  },
];

export function approvalSetting({approval}: SessionState): PickableSetting {
  return {
    title: 'Auto-approve',
    choices: APPROVALS,
    current: approval,
    choose: ({key}, id) => callAction(key, 'setApproval', id as ApprovalLevel),
  };
}

/** Returns the window with the selected theme applied. */
export function previewTheme(state: AppState): AppState {
  const picker = themesIn(state);
  if (!picker) return state;
  const selected = selectedItem(picker.list)?.id.replace(/^\w+ set /, '');
  const theme = allThemes(state.ownThemes).find(({name}) => name === selected)?.name;
  return {...state, theme: theme ?? picker.before};
}

/** Lets the theme stay when the list of themes is closed: it was chosen. */
export function keepTheme(state: AppState): AppState {
  const {overlay, theme} = state;
  if (overlay.kind !== 'picker') return state;
  const {purpose} = overlay.picker;
  if (purpose.kind !== 'setting_value' || purpose.before === undefined) return state;
  const picker: Picker = {...overlay.picker, purpose: {...purpose, before: theme}};
  return {...state, overlay: {kind: 'picker', picker}};
}

/** Ends the preview once the list of themes is not open any more, whatever closed it. */
export function endThemePreview(state: AppState, before: AppState): AppState {
  const left = themesIn(before);
  return left && !themesIn(state) && state.theme === before.theme ? {...state, theme: left.before} : state;
}

/** Returns the open list of themes: the values of the setting. */
function themesIn({overlay}: AppState): {readonly list: Picker; readonly before: string} | undefined {
  if (overlay.kind !== 'picker') return undefined;
  const {purpose} = overlay.picker;
  const before = purpose.kind === 'setting_value' ? purpose.before : undefined;
  return before === undefined ? undefined : {list: overlay.picker, before};
}

/** Sets a mode or an option; asks for confirmation if the agent would stop asking. */
export function chooseSetting(tab: Tab, choice: UnattendedChoice): Reaction {
  return isUnattended(tab.session, choice) ? askFirst(tab.session, choice) : setChoice(tab, choice);
}

/** True if the agent would stop asking with this choice, and asks now. */
function isUnattended(session: SessionState, choice: UnattendedChoice): boolean {
  if (choice.kind === 'mode')
    return (
      currentMode(session)?.id !== choice.id && stopsAsking(choiceWithId(modeChoices(session), choice.id))
    );
  const {configId, value} = choice;
  const isSet = configOption(session, configId)?.currentValue === value;
  return !isSet && valueStopsAsking(session, configId, value);
}

/** Asks for confirmation and explains the effect. Enter alone changes nothing. */
function askFirst(session: SessionState, choice: UnattendedChoice): Reaction {
  const name = nameOf(session, choice);
  return openPicker(
    pickerOf({
      purpose: {kind: 'question'},
      title: `Switch to ${name}?`,
      note:
        'The agent will stop asking: it changes files and runs commands without permission requests. ' +
        'Your rules and --approve apply only to what it does through acp-tui.',
      items: [
        {id: 'keep', label: 'Keep asking'},
        {id: 'switch', label: `Switch to ${name}`, choose: ({tab}) => setChoice(tab, choice)},
      ],
    }),
  );
}

function setChoice({key}: Tab, choice: UnattendedChoice): Reaction {
  if (choice.kind === 'mode') return callAction(key, 'setMode', choice.id);
  return callAction(key, 'setConfigOption', choice.configId, choice.value);
}

function nameOf(session: SessionState, choice: UnattendedChoice): string {
  if (choice.kind === 'mode') return choiceWithId(modeChoices(session), choice.id).name;
  const option = configOption(session, choice.configId);
  if (!option) return choice.configId;
  return typeof choice.value === 'string'
    ? `${option.name}: ${choiceWithId(optionChoices(option), choice.value).name}`
    : option.name;
}

/** Returns the agent's LLM providers; selecting one configures it. */
export function providerPicker(providers: readonly acp.ProviderInfo[]): Picker {
  return pickerOf({
    title: 'LLM providers',
    note: 'Selecting one configures or disables it. Agents may apply changes only to new sessions (/new).',
    items: providers.length === 0 ? [noProvider] : providers.map(providerItem),
  });
}

const noProvider: ListItem = {id: '', label: 'None', disabled: 'The agent has no provider to configure.'};

function providerItem({providerId, supported, required, current}: acp.ProviderInfo): ListItem {
  const now = current ? `${current.apiType} · ${withoutCredentials(current.baseUrl)}` : 'disabled';
  const other = supported.filter((name) => name !== current?.apiType);
  const others = `${current ? 'also ' : ''}${other.join(', ')}`;
  const parts = [now, required ? 'required' : '', other.length > 0 ? others : ''];
  return {
    id: providerId,
    label: quoteAgentText(providerId),
    description: quoteAgentText(parts.filter(Boolean).join(' · ')),
    choose: ({tab: {key}}) => callAction(key, 'configureProvider', providerId),
  };
}

/** A URL may contain credentials, which are not shown. */
function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][\w+.-]*:\/\/)[^/?#]*@/i, '$1…@');
}

/** Updates an open list of settings with the session's current state; closes the values of an option that is gone. */
export function followPicker(state: AppState, before: SessionState): AppState {
  const {overlay} = state;
  const {session} = activeSession(state);
  if (overlay.kind !== 'picker' || hasSameSettings(session, before)) return state;
  const {picker} = overlay;
  if (picker.purpose.kind === 'config_value' && !configOption(session, picker.purpose.configId))
    return {...state, overlay: {kind: 'none'}};
  const items = freshPicker(picker, session)?.items;
  return items ? {...state, overlay: {kind: 'picker', picker: withItems(picker, items)}} : state;
}

function hasSameSettings(now: SessionState, before: SessionState): boolean {
  return (
    now.configOptions === before.configOptions && now.modes === before.modes && now.models === before.models
  );
}

function freshPicker({purpose}: Picker, session: SessionState): Picker | undefined {
  if (purpose.kind === 'config') return configPicker(session);
  if (purpose.kind === 'mode') return settingPicker(modeSetting(session));
  if (purpose.kind === 'model') return settingPicker(modelSetting(session));
  const option = purpose.kind === 'config_value' ? configOption(session, purpose.configId) : undefined;
  return option && settingPicker(optionSetting(option));
}

import type * as acp from '@agentclientprotocol/sdk/unstable';
import {modeChoices, modelChoices} from '../../session/selectors.ts';
import {type Choice, optionsToShow, optionValueName} from '../../session/settings/options.ts';
import type {SessionState} from '../../session/state.ts';
import {perform, type Reaction} from '../effects.ts';
import {openPicker} from '../pickers/picker.ts';
import {
  chooseOption,
  configPicker,
  effortSetting,
  modelSetting,
  modeSetting,
  NO_EFFORT,
  optionSetting,
  settingPicker,
  type PickableSetting,
} from '../pickers/setting-pickers.ts';
import type {AppState, Tab} from '../state.ts';
import {findChoice, whyNotReady, unknownChoice, type Command, type CommandCall} from './command.ts';

interface SettingCommand {
  readonly name: string;
  readonly argument?: string;
  readonly description: string;
  readonly setting: (session: SessionState, state: AppState) => PickableSetting;
}

/** A command that shows the values of a setting, or selects one by name. */
function settingCommand({setting, ...command}: SettingCommand): Command {
  const {name} = command;
  return {
    argument: `[${name}]`,
    complete(tab, typed, state) {
      const {choices, current} = setting(tab.session, state);
      return {before: '', typed, choices, current};
    },
    run(call) {
      const {tab, state, argument, at} = call;
      const own = setting(tab.session, state);
      if (argument === '') return openPicker(settingPicker(own));
      const match = findChoice(own.choices, argument);
      return match ? own.choose(tab, match.id, at) : unknownChoice(name, own.choices, call);
    },
    ...command,
  };
}

/** Returns why a setting without values is unavailable. */
function withValues(choices: (session: SessionState) => readonly Choice[], none: string) {
  return (tab: Tab) => whyNotReady(tab) ?? (choices(tab.session).length > 0 ? undefined : none);
}

export const mode: Command = {
  ...settingCommand({name: 'mode', description: 'Show or change the mode', setting: modeSetting}),
  unavailable: withValues(modeChoices, 'This agent has no modes.'),
};

export const model: Command = {
  ...settingCommand({name: 'model', description: 'Show or change the model', setting: modelSetting}),
  aliases: ['models'],
  unavailable: withValues(modelChoices, 'This agent has no models to select.'),
};

export const effort: Command = {
  ...settingCommand({
    name: 'effort',
    description: 'Show or change the reasoning effort',
    setting: effortSetting,
  }),
  unavailable: withValues((session) => effortSetting(session).choices, NO_EFFORT),
};

export const settings: Command = {
  name: 'settings',
  argument: '[words | name value]',
  description: 'Show and change all settings of acp-tui',
  run({argument}) {
    const [, name = '', value] = /^(\S+)\s+(.+)$/s.exec(argument) ?? [];
    return perform(
      value === undefined ? {kind: 'show_settings', filter: argument} : {kind: 'set_setting', name, value},
    );
  },
};

export const config: Command = {
  name: 'options',
  aliases: ['config'],
  argument: '[option [value]]',
  description: "Show or change the agent's options",
  unavailable: (tab) =>
    whyNotReady(tab) ?? (tab.session.configOptions?.length ? undefined : 'This agent has no options.'),
  complete({session}, argument) {
    const named = optionNamed(session.configOptions ?? [], argument);
    if (!named || !/[\s=]/.test(argument.slice(named.length)))
      return {
        before: '',
        typed: argument,
        choices: optionsToShow(session).map(optionChoice),
        more: '[value]',
      };
    const {option, value} = named;
    return {
      before: `${option.id} `,
      typed: value,
      ...valuesOf(option),
    };
  },
  run(call) {
    const {tab, argument} = call;
    const {configOptions = []} = tab.session;
    if (argument === '') return openPicker(configPicker(tab.session));
    const named = optionNamed(configOptions, argument);
    if (named) return setOption(named.option, {...call, argument: named.value});
    const match = findChoice(configOptions, argument);
    return match ? setOption(match, {...call, argument: ''}) : unknownChoice('option', configOptions, call);
  },
};

function setOption(option: acp.SessionConfigOption, call: CommandCall): Reaction {
  const {tab, argument, at} = call;
  if (argument === '') return chooseOption(tab, option);
  const {choices, choose} = optionSetting(option);
  const match = findChoice(choices, argument);
  return match ? choose(tab, match.id, at) : unknownChoice(`value of ${option.name}`, choices, call);
}

function valuesOf(option: acp.SessionConfigOption): Pick<PickableSetting, 'choices' | 'current'> {
  const {choices, current} = optionSetting(option);
  return {choices, current};
}

function optionChoice(option: acp.SessionConfigOption): Choice {
  const {id, name, description} = option;
  return {id, name: `${name}: ${optionValueName(option)}`, ...(description ? {description} : {})};
}

/** Returns the option whose id or name the argument starts with, and the value after it; both may contain blanks. */
function optionNamed(configOptions: readonly acp.SessionConfigOption[], argument: string) {
  const typed = argument.toLowerCase();
  const named = configOptions.flatMap((option) =>
    [option.id, option.name].map((name) => ({option, name, rest: argument.slice(name.length)})),
  );
  const [longest] = named
    .filter(({name, rest}) => typed.startsWith(name.toLowerCase()) && /^(?:$|[\s=])/.test(rest))
    .sort((one, other) => other.name.length - one.name.length);
  return (
    longest && {
      option: longest.option,
      length: longest.name.length,
      value: longest.rest.replace(/^\s*=?\s*/, ''),
    }
  );
}

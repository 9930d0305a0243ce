import type * as acp from '@agentclientprotocol/sdk/unstable';
import {currentMode, modeChoices, currentModel, modelChoices} from '../../session/selectors.ts';
import {type Choice, optionChoices, optionsToShow, optionValueName} from '../../session/settings/options.ts';
import type {SessionState} from '../../session/state.ts';
import {fold, perform, together, type Step} from '../effects.ts';
import {choose, setApproval, chooseOption, chooseSetting} from '../pickers/choose.ts';
import {openPicker} from '../pickers/picker.ts';
import {
  approvalChoices,
  approvalPicker,
  configPicker,
  modePicker,
  modelPicker,
  chooseTheme,
  themeChoices,
  themePicker,
} from '../pickers/setting-pickers.ts';
import type {Picker} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {findChoice, notReady, unknownChoice, type Command, type CommandCall} from './command.ts';

interface Setting {
  readonly name: 'mode' | 'model';
  readonly description: string;
  readonly choices: (session: SessionState) => readonly Choice[];
  readonly current: (session: SessionState) => Choice | undefined;
  readonly picker: (session: SessionState) => Picker;
  /** Shown if the agent offers none. */
  readonly none: string;
}

/** A command that shows the choices of a setting, or selects one by name. */
function settingCommand({name, description, choices, current, picker, none}: Setting): Command {
  return {
    name,
    argument: `[${name}]`,
    description,
    unavailable: (open) => notReady(open) ?? (choices(open.session).length > 0 ? undefined : none),
    complete: ({session}, typed) => ({
      before: '',
      typed,
      choices: choices(session),
      current: current(session)?.id,
    }),
    run(call) {
      const {session} = call.open;
      if (call.argument === '') return openPicker(picker(session));
      const match = findChoice(choices(session), call.argument);
      return match ? choose(call.open, {kind: name}, match.id) : unknownChoice(name, choices(session), call);
    },
  };
}

export const theme: Command = {
  name: 'theme',
  argument: '[name]',
  description: 'Color theme (this window)',
  complete: (_, argument, state) => ({before: '', typed: argument, choices: themeChoices(state)}),
  run(call) {
    if (call.argument === '') return openPicker(themePicker(call.state));
    const choices = themeChoices(call.state);
    const match = findChoice(choices, call.argument);
    return match ? chooseTheme(match.id, call.at) : unknownChoice('theme', choices, call);
  },
};

export const approve: Command = {
  name: 'approve',
  argument: '[none|reads|edits|all]',
  description: 'What is auto-approved',
  complete: ({session}, typed) => ({
    before: '',
    typed,
    choices: approvalChoices,
    current: session.approval,
  }),
  run(call) {
    const {open, argument} = call;
    if (argument === '') return openPicker(approvalPicker(open.session.approval));
    const match = findChoice(approvalChoices, argument);
    return match ? setApproval(open, match.id) : unknownChoice('policy', approvalChoices, call);
  },
};

export const vim: Command = {
  name: 'vim',
  description: 'Vim keybindings (this window)',
  run({state, at}) {
    const editing = state.editing === 'vim' ? 'readline' : 'vim';
    const notice =
      editing === 'vim'
        ? 'Vim keybindings on (this window). /settings editing makes them the default.'
        : 'Vim keybindings off (this window).';
    return together(fold({type: 'preferences_changed', change: {editing}}), toast(notice, at));
  },
};

export const settings: Command = {
  name: 'settings',
  argument: '[words]',
  description: 'Show and change all settings of acp-tui',
  run: ({argument}) => perform({kind: 'show_settings', filter: argument}),
};

export const config: Command = {
  name: 'options',
  aliases: ['config'],
  argument: '[option [value]]',
  description: "Show or change the agent's options",
  unavailable: (open) =>
    notReady(open) ?? (open.session.configOptions?.length ? undefined : 'This agent has no options.'),
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
      choices: valueChoices(option),
      current: String(option.currentValue),
    };
  },
  run(call) {
    const {open, argument} = call;
    const {configOptions = []} = open.session;
    if (argument === '') return openPicker(configPicker(open.session));
    const named = optionNamed(configOptions, argument);
    if (named) return setOption(named.option, {...call, argument: named.value});
    const match = findChoice(configOptions, argument);
    return match ? setOption(match, {...call, argument: ''}) : unknownChoice('option', configOptions, call);
  },
};

function setOption(option: acp.SessionConfigOption, call: CommandCall): Step {
  const {open, argument} = call;
  if (argument === '') return chooseOption(open, option.id);
  const choices = valueChoices(option);
  const match = findChoice(choices, argument);
  if (!match) return unknownChoice(`value of ${option.name}`, choices, call);
  if (option.type !== 'boolean') return choose(open, {kind: 'config_value', configId: option.id}, match.id);
  return chooseSetting(open, {kind: 'config', configId: option.id, value: match.id === 'true'});
}

function valueChoices(option: acp.SessionConfigOption): readonly Choice[] {
  return option.type === 'boolean' ? switchChoices : optionChoices(option);
}

function optionChoice(option: acp.SessionConfigOption): Choice {
  const {id, name, description} = option;
  return {id, name: `${name}: ${optionValueName(option)}`, ...(description ? {description} : {})};
}

const switchChoices: readonly Choice[] = [
  {id: 'true', name: 'on'},
  {id: 'false', name: 'off'},
];

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

export const mode = settingCommand({
  name: 'mode',
  description: 'Show or change the mode',
  choices: modeChoices,
  current: currentMode,
  picker: modePicker,
  none: 'This agent has no modes.',
});

export const model = settingCommand({
  name: 'model',
  description: 'Show or change the model',
  choices: modelChoices,
  current: currentModel,
  picker: modelPicker,
  none: 'This agent has no models to select.',
});

import type * as acp from '@agentclientprotocol/sdk/unstable';
import {optionChoices, optionsToShow, optionValueName, type Choice} from '../../session/options.ts';
import {choose, chooseOption, chooseSetting} from '../choose.ts';
import type {Step} from '../effects.ts';
import {openPicker} from '../picker.ts';
import {configPicker} from '../pickers.ts';
import {choiceMeant, notReady, unknownChoice, type Command, type CommandCall} from './command.ts';

export const config: Command = {
  name: 'config',
  aliases: ['settings', 'options'],
  argument: '[option [value]]',
  description: 'Show or change the options of the session',
  unavailable: (open) =>
    notReady(open) ?? (open.session.configOptions?.length ? undefined : 'This agent offers no options.'),
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
    const meant = choiceMeant(configOptions, argument);
    return meant ? setOption(meant, {...call, argument: ''}) : unknownChoice('option', configOptions, call);
  },
};

function setOption(option: acp.SessionConfigOption, call: CommandCall): Step {
  const {open, argument} = call;
  if (argument === '') return chooseOption(open, option.id);
  const choices = valueChoices(option);
  const meant = choiceMeant(choices, argument);
  if (!meant) return unknownChoice(`value of ${option.name}`, choices, call);
  if (option.type !== 'boolean') return choose(open, {kind: 'config_value', configId: option.id}, meant.id);
  return chooseSetting(open, {kind: 'config', configId: option.id, value: meant.id === 'true'});
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

/** The option whose id or name the argument begins with, and the value behind it; both may have blanks in them. */
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

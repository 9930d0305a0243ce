import type * as acp from '@agentclientprotocol/sdk/unstable';
import {optionChoices, type Choice} from '../../session/options.ts';
import {choose, chooseOption} from '../choose.ts';
import {fold, perform, type Step} from '../effects.ts';
import {configPicker} from '../pickers.ts';
import {choiceMeant, notReady, unknownChoice, type Command, type CommandCall} from './command.ts';

export const config: Command = {
  name: 'config',
  argument: '[option [value]]',
  description: 'Show or change the options of the session',
  unavailable: (open) =>
    notReady(open) ?? (open.session.configOptions?.length ? undefined : 'This agent offers no options.'),
  run(call) {
    const {open, argument} = call;
    const {configOptions = []} = open.session;
    if (argument === '')
      return fold({type: 'overlay_opened', overlay: {kind: 'picker', picker: configPicker(open.session)}});
    const named = configOptions.find(({id, name}) => [id, name].some((name) => startsWith(argument, name)));
    const meant = named ?? choiceMeant(configOptions, argument);
    if (!meant) return unknownChoice('option', configOptions, call);
    return setOption(meant, {...call, argument: valueBehind(argument, [meant.id, meant.name])});
  },
};

function setOption(option: acp.SessionConfigOption, call: CommandCall): Step {
  const {open, argument} = call;
  if (argument === '') return chooseOption(open, option.id);
  const choices = option.type === 'boolean' ? switchChoices : optionChoices(option);
  const meant = choiceMeant(choices, argument);
  if (!meant) return unknownChoice(`value of ${option.name}`, choices, call);
  if (option.type !== 'boolean') return choose(open, {kind: 'config_value', configId: option.id}, meant.id);
  return perform({kind: 'set_config', key: open.key, configId: option.id, value: meant.id === 'true'});
}

const switchChoices: readonly Choice[] = [
  {id: 'true', name: 'on'},
  {id: 'false', name: 'off'},
];

/** Names of options may have blanks in them. */
function startsWith(argument: string, name: string): boolean {
  const isSame = argument.slice(0, name.length).toLowerCase() === name.toLowerCase();
  return isSame && /^(?:$|[\s=])/.test(argument.slice(name.length));
}

/** What stands behind the option's name, `=` or a blank between them. */
function valueBehind(argument: string, names: readonly string[]): string {
  const name = names.find((name) => startsWith(argument, name));
  return name === undefined ? '' : argument.slice(name.length).replace(/^\s*=?\s*/, '');
}

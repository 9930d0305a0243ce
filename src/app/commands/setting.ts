import type {Choice} from '../../session/options.ts';
import type {SessionState} from '../../session/state.ts';
import {choose} from '../choose.ts';
import {openPicker} from '../picker.ts';
import type {Picker} from '../state.ts';
import {choiceMeant, notReady, unknownChoice, type Command} from './command.ts';

export interface Setting {
  readonly name: 'mode' | 'model';
  readonly description: string;
  readonly choices: (session: SessionState) => readonly Choice[];
  readonly current: (session: SessionState) => Choice | undefined;
  readonly picker: (session: SessionState) => Picker;
  /** Said where the agent offers no choice. */
  readonly none: string;
}

/** A command that shows the choices of a setting, or takes one by name. */
export function settingCommand({name, description, choices, current, picker, none}: Setting): Command {
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
      const meant = choiceMeant(choices(session), call.argument);
      return meant ? choose(call.open, {kind: name}, meant.id) : unknownChoice(name, choices(session), call);
    },
  };
}

import type {Message} from '../exchanges.ts';
import {fieldsOf, itemsOf, textOf} from '../fields.ts';
import {sessionIn, updateIn} from './happenings.ts';
import type {Breach, Rule} from './rule.ts';

/** The current mode, and the current value of an option, is one of those that there are. */
export const knownValues: Rule = {
  name: 'known-values',
  page: 'session-config-options',
  find(life) {
    const modes = new Map<string, ReadonlySet<unknown>>();
    return life.flatMap((happening): readonly Breach[] => {
      const told = updateIn(happening);
      const {index} = happening;
      if (told?.kind === 'config_option_update') return optionsOf(told.update, index);
      if (told?.kind === 'current_mode_update') return modeOf(told.update, modes.get(told.sessionId), index);
      if (happening.kind !== 'answer' || happening.from !== 'agent') return [];
      const {params, result = {}} = happening;
      const state = fieldsOf(result['modes']);
      if (state['availableModes'] === undefined) return optionsOf(result, index);
      const available = new Set(itemsOf(state['availableModes']).map(({id}) => id));
      modes.set(sessionIn(result) || sessionIn(params), available);
      return [...optionsOf(result, index), ...modeOf(state, available, index)];
    });
  },
};

function modeOf(
  {currentModeId}: Message,
  available: ReadonlySet<unknown> | undefined,
  index: number,
): readonly Breach[] {
  const id = textOf(currentModeId);
  if (id === undefined || !available || available.has(id)) return [];
  return [{index, text: `there is no mode ${JSON.stringify(id)}`}];
}

function optionsOf({configOptions}: Message, index: number): readonly Breach[] {
  return itemsOf(configOptions)
    .filter(({type, currentValue, options}) => type === 'select' && !choicesOf(options).has(currentValue))
    .map(({id, currentValue}) => ({
      index,
      text: `the option ${JSON.stringify(id)} has no value ${JSON.stringify(currentValue)}`,
    }));
}

/** Values stand in a list, or in groups of lists. */
function choicesOf(options: unknown): ReadonlySet<unknown> {
  const listed = itemsOf(options);
  const grouped = listed.flatMap((group) => itemsOf(group['options']));
  return new Set([...listed, ...grouped].map(({value}) => value));
}

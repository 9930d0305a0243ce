import {isFields, mapItems, type Deviation} from './deviation.ts';

/** Commands with a slash in front of their name, without a description, or no list at all. */
export const commands: Deviation = {
  name: 'commands',
  mend(update) {
    const {availableCommands} = update;
    if (availableCommands === undefined) return {...update, availableCommands: []};
    if (!Array.isArray(availableCommands)) return update;
    const mended = mapItems(availableCommands, command);
    return mended === availableCommands ? update : {...update, availableCommands: mended};
  },
};

function command(value: unknown): unknown {
  if (!isFields(value) || typeof value['name'] !== 'string') return value;
  const {name, description} = value;
  if (!name.startsWith('/') && typeof description === 'string') return value;
  return {
    ...value,
    name: name.replace(/^\//, ''),
    description: typeof description === 'string' ? description : '',
  };
}

import type {Choice} from '../../session/options.ts';
import {remember} from '../../session/remember.ts';
import {findIn} from '../find.ts';
import type {MenuItem} from '../menu.ts';
import type {OpenSession} from '../state.ts';
import {commandMeant} from './index.ts';

/** The values of our command whose argument is being typed, those that fit; none where it is no such command, or cannot run. */
export function argumentItems(open: OpenSession, text: string): readonly MenuItem[] {
  const [, name = '', argument] = /^\/(\S+) +([^\n]*)$/.exec(text) ?? [];
  const command = argument === undefined ? undefined : commandMeant(name, open.session.commands);
  if (!command?.complete || argument === undefined || command.unavailable?.(open)) return [];
  const {before, typed, choices, current, more} = command.complete(open, argument);
  return currentFirst(findIn(findables(choices), typed), typed === '' ? current : undefined).map(
    ({id, label, group, description}) => ({
      text: `/${name} ${before}${id}`,
      argument: more,
      description: [id === current ? '(now)' : '', label === id ? '' : label, group, description]
        .filter(Boolean)
        .join(' · '),
      aliases: [],
      source: 'client',
      unavailable: undefined,
    }),
  );
}

const findables = remember((choices: readonly Choice[]) =>
  choices.map(({id, name, group, description}) => ({id, label: name, group, description})),
);

/** So that Enter on nothing typed changes nothing. */
function currentFirst<Item extends {readonly id: string}>(
  items: readonly Item[],
  current: string | undefined,
): readonly Item[] {
  const index = items.findIndex(({id}) => id === current);
  const item = items[index];
  return item ? [item, ...items.toSpliced(index, 1)] : items;
}

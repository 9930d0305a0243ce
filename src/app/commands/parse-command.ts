import {closest, distance} from 'fastest-levenshtein';
import {memoize} from '../../session/memoize.ts';
import type {Choice} from '../../session/settings/options.ts';
import {fuzzyFind} from '../completion/fuzzy-find.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Tab} from '../state.ts';
import type {Command} from './command.ts';
import {callsAnyCommand} from '../../session/content/custom-command.ts';
import {hasOwnName, meantIn, type TextForAgent} from './behind-slashes.ts';
import {findCommand, commands, findMoved, type OtherCommand} from './index.ts';
import type {MovedCommand} from './moved-commands.ts';
import type {Action} from '../keymap/keymap.ts';
import type {MenuItem} from '../completion/menu-items.ts';

/** The meaning of a submitted text. */
type Meant =
  | {
      readonly kind: 'command';
      readonly command: Command;
      readonly argument: string;
      /** The name that was typed, if the command had it before. */
      readonly moved?: MovedCommand;
    }
  | {
      readonly kind: 'action';
      readonly action: Action;
      readonly argument: string;
      readonly moved: MovedCommand;
    }
  | ({readonly kind: 'text'} & TextForAgent);

/** Returns the commands that are not acp-tui's. */
export function otherCommands({session}: Tab): readonly OtherCommand[] {
  return [...session.customCommands, ...session.commands];
}

/**
 * acp-tui's commands take precedence over custom ones, and these over the agent's of the same name; `//name` means the next one. Unknown commands are text, so
 * that a prompt can start with a path.
 */
export function parsePrompt(text: string, tab: Tab): Meant {
  const [, name = '', behind = ''] = /^\/(\S+)(?:\s+([^]*))?$/.exec(text) ?? [];
  const argument = behind.trim();
  const command = findCommand(name, otherCommands(tab));
  if (command) return {kind: 'command', command, argument};
  const moved = findMoved(name, otherCommands(tab));
  if (moved && 'action' in moved) return {kind: 'action', action: moved.action, argument, moved};
  if (moved) {
    const {now: command, argument: first = ''} = moved;
    return {kind: 'command', command, argument: `${first} ${argument}`.trim(), moved};
  }
  return {kind: 'text', ...meantIn(tab, text)};
}

/** Returns an unknown slash command and the most similar known one; undefined for any other text, including a prompt that starts with a path. */
export function unknownCommand(
  text: string,
  others: readonly OtherCommand[],
): {readonly name: string; readonly closest: string | undefined} | undefined {
  const [, name] = /^\/([a-z][\w:-]*)(?:\s|$)/i.exec(text) ?? [];
  if (name === undefined || findCommand(name, others) || findMoved(name, others)) return undefined;
  if (callsAnyCommand(text, others)) return undefined;
  const aliases = commands.flatMap((command) => command.aliases ?? []);
  const names = [...commands, ...others].map((command) => command.name).concat(aliases);
  return {name, closest: closestTo(name.toLowerCase(), names)};
}

/** Returns the most similar name; undefined if none is similar enough. */
function closestTo(typed: string, names: readonly string[]): string | undefined {
  const name = closest(typed, names);
  return distance(typed, name) <= Math.max(typed.length, name.length) / 2 ? name : undefined;
}

/** Returns the matching values for the argument being typed; none if the command has none or is unavailable. */
export function argumentItems(state: AppState, text: string): readonly MenuItem[] {
  const tab = activeSession(state);
  const [, name = '', argument] = /^\/(\S+) +([^\n]*)$/.exec(text) ?? [];
  const others = otherCommands(tab);
  const command = argument === undefined ? undefined : (findCommand(name, others) ?? movedTo(name, others));
  if (!command?.complete || argument === undefined || command.unavailable?.(tab, state.keymap)) return [];
  const {before, typed, choices, current, more} = command.complete(tab, argument, state);
  return currentFirst(fuzzyFind(findables(choices), typed), typed === '' ? current : undefined).map(
    ({id, label, group, description}) => ({
      text: `/${name} ${before}${id}`,
      argument: more,
      description: [id === current ? '(now)' : '', label === id ? '' : label, group, description]
        .filter(Boolean)
        .join(' · '),
      source: 'client',
    }),
  );
}

/** Returns the command that has taken what follows the name since that moved. */
function movedTo(name: string, others: readonly OtherCommand[]): Command | undefined {
  const moved = findMoved(name, others);
  return moved && 'now' in moved && moved.argument === undefined ? moved.now : undefined;
}

const findables = memoize((choices: readonly Choice[]) =>
  choices.map(({id, name, group, description}) => ({id, label: name, group, description})),
);

/** So that Enter without typing changes nothing. */
function currentFirst<Item extends {readonly id: string}>(
  items: readonly Item[],
  current: string | undefined,
): readonly Item[] {
  const index = items.findIndex(({id}) => id === current);
  const item = items[index];
  return item ? [item, ...items.toSpliced(index, 1)] : items;
}

/** Returns how a custom command is typed: with two slashes if acp-tui has a command of that name. */
export function customCommandText({name}: OtherCommand): string {
  return hasOwnName({name}) ? `//${name}` : `/${name}`;
}

/** Returns how an agent's command is typed: with two slashes if there is another command of that name. */
export function agentCommandText(name: string, {session}: Tab): string {
  const isOther = hasOwnName({name}) || session.customCommands.some((custom) => custom.name === name);
  return isOther ? `//${name}` : `/${name}`;
}

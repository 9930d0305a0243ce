import {
  agentCommandText,
  argumentItems,
  customCommandText,
  otherCommands,
} from '../commands/parse-command.ts';
import {findCommand, commands, findMoved} from '../commands/index.ts';
import {movedCommands, placeOf} from '../commands/moved-commands.ts';
import {typedArgumentItems} from './argument-menu.ts';
import {fileItems, fileWord} from './file-menu.ts';
import {shellCommand} from '../queue/shell-commands.ts';
import type {Draft} from '../editor/draft.ts';
import type {Keymap} from '../keymap/keymap.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Tab} from '../state.ts';
import type {MenuItem} from './menu-items.ts';
import {minOf} from '../../text/lists.ts';

export interface Menu {
  readonly items: readonly MenuItem[];
  /** Index of the item that Enter runs and Tab completes. */
  readonly selected: number;
}

/** Returns the `/` or `@` menu; undefined while it is closed or empty. */
export function menuOf(state: AppState): Menu | undefined {
  const tab = activeSession(state);
  const isOpen = state.focus.kind === 'prompt' && state.overlay.kind === 'none' && !state.menu.dismissed;
  if (!isOpen) return undefined;
  if (shellCommand(tab.draft.text) !== undefined) return undefined;
  const items = fileWord(tab.draft) ? fileItems(state) : commandItems(state);
  return items.length === 0 ? undefined : {items, selected: Math.min(state.menu.selected, items.length - 1)};
}

/** Keeps the selection on its item when the agent's commands change. */
export function followMenu(before: AppState, state: AppState): AppState {
  const old = menuOf(before);
  const text = old?.items[old.selected]?.text;
  if (text === undefined) return state;
  const selected = menuOf(state)?.items.findIndex((item) => item.text === text) ?? -1;
  return {...state, menu: {...state.menu, selected: Math.max(0, selected)}};
}

/** Returns the hint for the argument of the command being typed, while the argument is empty. */
export function argumentHint(state: AppState): string | undefined {
  const tab = activeSession(state);
  const {text, caret} = tab.draft;
  if (state.focus.kind !== 'prompt' || !/^\/[^\n]* $/.test(text) || caret !== text.length) return undefined;
  const typed = text.trimEnd();
  return listedCommands(tab, state.keymap).find((item) => item.text === typed)?.argument;
}

/** Returns the identity of the menu: after Esc it stays closed until this changes. */
export function menuSubject(draft: Draft): number | undefined {
  return fileWord(draft)?.from ?? (draft.text.startsWith('/') ? -1 : undefined);
}

/** In a prompt recalled from the history, ↑ and ↓ continue through the history. */
function commandItems(state: AppState): readonly MenuItem[] {
  const tab = activeSession(state);
  const {text, browsing} = tab.draft;
  if (!text.startsWith('/') || (browsing && browsing.position !== -1)) return [];
  const own = argumentItems(state, text);
  const values = own.length > 0 ? own : typedArgumentItems(state);
  return values.length > 0
    ? values
    : fitting([...listedCommands(tab, state.keymap), ...movedItems(state)], text);
}

type CommandItem = MenuItem & {readonly source: 'client' | 'custom' | 'agent'};

/** Returns acp-tui's commands, custom ones and the agent's. */
export function listedCommands(tab: Tab, keymap: Keymap): readonly CommandItem[] {
  const others = otherCommands(tab);
  const own = commands.map((command): CommandItem => ({
    text: `/${command.name}`,
    argument: command.argument,
    description: command.description,
    aliases: (command.aliases ?? []).filter((alias) => findCommand(alias, others) === command),
    source: 'client',
    unavailable: command.unavailable?.(tab, keymap),
  }));
  const agents = tab.session.commands.map(({name, description, input}): CommandItem => ({
    text: agentCommandText(name, tab),
    argument: input?.hint || undefined,
    description,
    source: 'agent',
  }));
  const custom = tab.session.customCommands.map(({name, description, argumentHint, from}): CommandItem => ({
    text: customCommandText({name}),
    argument: argumentHint,
    description: `${description} (${from})`,
    source: 'custom',
  }));
  return [...own, ...custom, ...agents];
}

/** Commands under the names that they had, which are only found by typing them. */
function movedItems(state: AppState): readonly MenuItem[] {
  const others = otherCommands(activeSession(state));
  return movedCommands
    .filter(({name}) => findMoved(name, others))
    .map((moved) => ({
      text: `/${moved.name}`,
      description: `${'isOthers' in moved ? '' : 'now '}${placeOf(moved, state.keymap)}`,
      source: 'moved' as const,
    }));
}

/** Items that start with the typed text come first, then those in which a later word does. */
function fitting(items: readonly MenuItem[], typed: string): readonly MenuItem[] {
  const wanted = typed.replace(/^\/+/, '').toLowerCase();
  const isBehindTwo = ({text, source}: MenuItem) => source === 'agent' || text.startsWith('//');
  const candidates = typed.startsWith('//') ? items.filter(isBehindTwo) : items;
  if (wanted === '') return mostUsedFirst(candidates.filter(({source}) => source !== 'moved'));
  const ranks: MenuItem[][] = [[], [], []];
  for (const item of candidates) {
    const names = [item.text.replace(/^\/+/, '').toLowerCase(), ...(item.aliases ?? [])];
    const rank = minOf(names.map((name) => rankOf(name, wanted)).filter((each) => each !== -1));
    ranks[rank]?.push(item);
  }
  return ranks.flat();
}

/** The most used of acp-tui's commands, then custom ones and the agent's, so that these are not last. */
function mostUsedFirst(items: readonly MenuItem[]): readonly MenuItem[] {
  const isFirst = ({text, source}: MenuItem) => source === 'client' && MOST_USED.has(text);
  const isOther = ({source}: MenuItem) => source === 'agent' || source === 'custom';
  return [
    ...items.filter(isFirst),
    ...items.filter(isOther),
    ...items.filter((item) => !isFirst(item) && !isOther(item)),
  ];
}

const MOST_USED: ReadonlySet<string> = new Set(['/help', '/new', '/resume', '/mode']);

function rankOf(name: string, wanted: string): number {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  return name.split(/[^\p{L}\p{N}]+/u).some((word) => word !== '' && word.startsWith(wanted)) ? 2 : -1;
}

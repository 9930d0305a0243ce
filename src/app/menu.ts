import {commands} from './commands/index.ts';
import {fileItems, fileWord, type FoundFile} from './file-menu.ts';
import type {Draft} from './prompt/draft.ts';
import {activeSession} from './sessions.ts';
import type {AppState, OpenSession} from './state.ts';

/** A command or a file that completes what is typed. */
export interface MenuItem {
  /** As it is typed: `/mode`, or `//mode` for an agent's command that has the name of one of ours; the path of a file. */
  readonly text: string;
  /** What can follow it; undefined where nothing can. */
  readonly argument: string | undefined;
  readonly description: string;
  readonly source: 'client' | 'agent' | 'files';
  /** What is attached; only of a file. */
  readonly file?: FoundFile;
  /** Why it cannot be used now. */
  readonly unavailable: string | undefined;
}

export interface Menu {
  readonly items: readonly MenuItem[];
  /** Index of the item that Enter runs and Tab takes. */
  readonly selected: number;
}

/** The `/` or `@` menu; undefined while it is closed, or nothing fits what is typed. */
export function menuOf(state: AppState): Menu | undefined {
  const open = activeSession(state);
  const isOpen = state.focus.kind === 'prompt' && state.overlay.kind === 'none' && !state.menu.dismissed;
  if (!isOpen) return undefined;
  const items = fileWord(open.draft) ? fileItems(state) : commandItems(open);
  return items.length === 0 ? undefined : {items, selected: Math.min(state.menu.selected, items.length - 1)};
}

/** What the menu is about: it stays closed with Esc as long as that is the same. */
export function menuSubject(draft: Draft): number | undefined {
  return fileWord(draft)?.from ?? (draft.text.startsWith('/') ? -1 : undefined);
}

/** A prompt that came back from the history is not being typed: there ↑ and ↓ go on through the history. */
function commandItems(open: OpenSession): readonly MenuItem[] {
  const {text, browsing} = open.draft;
  if (!text.startsWith('/') || (browsing && browsing.position !== -1)) return [];
  return fitting(allItems(open), text);
}

function allItems(open: OpenSession): readonly MenuItem[] {
  const ours = commands.map((command) => ({
    text: `/${command.name}`,
    argument: command.argument,
    description: command.description,
    source: 'client' as const,
    unavailable: command.unavailable?.(open),
  }));
  const taken = new Set(commands.map((command) => command.name));
  const agents = open.session.commands.map(({name, description, input}) => ({
    text: taken.has(name) ? `//${name}` : `/${name}`,
    argument: input?.hint || undefined,
    description,
    source: 'agent' as const,
    unavailable: undefined,
  }));
  return [...ours, ...agents];
}

/** The items that go on from what is typed come first, then those with a later word that does. */
function fitting(items: readonly MenuItem[], typed: string): readonly MenuItem[] {
  const wanted = typed.replace(/^\/+/, '').toLowerCase();
  const candidates = typed.startsWith('//') ? items.filter((item) => item.source === 'agent') : items;
  if (wanted === '') return candidates;
  const ranks: MenuItem[][] = [[], [], []];
  for (const item of candidates) {
    const name = item.text.replace(/^\/+/, '').toLowerCase();
    ranks[rankOf(name, wanted)]?.push(item);
  }
  return ranks.flat();
}

function rankOf(name: string, wanted: string): number {
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  return name.split(/[^\p{L}\p{N}]+/u).some((word) => word !== '' && word.startsWith(wanted)) ? 2 : -1;
}

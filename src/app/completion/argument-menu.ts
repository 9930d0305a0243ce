import {argumentHintAt, type HintedArgument} from '../../session/content/argument-hint.ts';
import {agentCommandText, customCommandText} from '../commands/parse-command.ts';
import {change} from '../editor/change.ts';
import type {Draft} from '../editor/draft.ts';
import {cleanInput} from '../editor/pastes.ts';
import {emitEvent, nothing, type Reaction} from '../effects.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Tab} from '../state.ts';
import type {MenuItem} from './menu-items.ts';

/** The argument being typed for a command that is not acp-tui's. */
interface TypedArgument {
  readonly place: HintedArgument;
  /** The text before it. */
  readonly before: string;
  /** Without quotes; may be empty. */
  readonly word: string;
}

/** Returns how a command is typed, and the hint for its arguments. */
function hintsOf(tab: Tab): readonly {readonly text: string; readonly hint: string}[] {
  const custom = tab.session.customCommands.map(({name, argumentHint = ''}) => ({
    text: customCommandText({name}),
    hint: argumentHint,
  }));
  const agents = tab.session.commands.map(({name, input}) => ({
    text: agentCommandText(name, tab),
    hint: input?.hint ?? '',
  }));
  return [...custom, ...agents];
}

/** Words as `expandCommand` splits them; the quotes of the last one may be open. */
const WORD = /"(?<double>[^"]*)(?:"|$)|'(?<single>[^']*)(?:'|$)|(?<plain>\S+)/g;

function typedArgument(tab: Tab): TypedArgument | undefined {
  const {text, caret, browsing} = tab.draft;
  if (!text.startsWith('/') || text.includes('\n') || caret !== text.length) return undefined;
  if (browsing && browsing.position !== -1) return undefined;
  // Names of agents' commands may contain blanks.
  const [called] = hintsOf(tab)
    .filter((each) => text.startsWith(`${each.text} `))
    .toSorted((one, other) => other.text.length - one.text.length);
  if (!called) return undefined;
  const start = called.text.length + 1;
  const words = [...text.slice(start).matchAll(WORD)].map(({index, 0: written, groups = {}}) => ({
    from: start + index,
    to: start + index + written.length,
    word: groups['double'] ?? groups['single'] ?? groups['plain'] ?? '',
  }));
  const last = words.at(-1);
  const current = last?.to === text.length ? last : {from: text.length, word: ''};
  const earlier = words.filter(({from}) => from < current.from).map(({word}) => word);
  const place = argumentHintAt(called.hint, earlier);
  return place && {place, before: text.slice(0, current.from), word: current.word};
}

/** Returns the path that is being typed as an argument, for the search; `isFolder` if only folders belong there. */
export function typedPath(tab: Tab): {readonly path: string; readonly isFolder: boolean} | undefined {
  const {last} = tab.draft;
  if (last !== 'typing' && last !== 'erasing') return undefined;
  const argument = typedArgument(tab);
  return argument?.place.path && {path: argument.word, isFolder: argument.place.path === 'folder'};
}

/** Returns what fits the argument being typed; nothing if all of it is there already. */
export function typedArgumentItems(state: AppState): readonly MenuItem[] {
  const tab = activeSession(state);
  const argument = typedArgument(tab);
  if (!argument) return [];
  const {place, word, before} = argument;
  const items = [...valueItems(argument), ...pathItems(state, argument)];
  const [only] = items;
  if (!only || (items.length === 1 && isTyped(only, tab.draft))) return [];
  if (word !== '' || !place.isOptional) return items;
  // So that Enter without typing changes nothing.
  return [itemOf({text: '(leave out)', completed: {text: before, isSent: false}}), ...items];
}

function valueItems({place, before, word}: TypedArgument): readonly MenuItem[] {
  const begins = (value: string) => value.toLowerCase().startsWith(word.toLowerCase());
  return place.values
    .filter(begins)
    .toSorted((one, other) => Number(other === word) - Number(one === word))
    .map((text) => {
      const completed = {text: withRest(before + quoted(text), place), isSent: place.rest === ''};
      return itemOf({text, argument: place.rest || undefined, completed});
    });
}

function pathItems(state: AppState, {place, before, word}: TypedArgument): readonly MenuItem[] {
  const {files} = state;
  if (place.path === undefined || !files || typedPath(activeSession(state)) === undefined) return [];
  const isWord = (path: string) => path === word || path === `${word}/`;
  return files.items
    .filter(({isFolder}) => isFolder || place.path === 'file')
    .toSorted((one, other) => Number(isWord(other.path)) - Number(isWord(one.path)))
    .map((file) => {
      const {path, isFolder} = file;
      const isItself = isFolder && path === word;
      const isOpen = isFolder && !isItself;
      const text = isOpen ? before + quoted(path, {isOpen}) : withRest(before + quoted(path), place);
      const description = isItself ? 'the folder itself' : '';
      return itemOf({text: path, description, file, completed: {text, isSent: false}});
    });
}

function itemOf(
  item: Pick<MenuItem, 'text' | 'completed'> & Partial<Pick<MenuItem, 'argument' | 'description' | 'file'>>,
): MenuItem {
  return {source: 'arguments', description: '', ...item};
}

function withRest(text: string, {rest}: HintedArgument): string {
  return rest === '' ? text : `${text} `;
}

/** An argument with blanks, or that would be a mention, in quotes. */
function quoted(value: string, {isOpen = false} = {}): string {
  const word = cleanInput(value);
  if (!/\s|^["'@]/.test(word)) return word;
  const quote = word.includes('"') ? "'" : '"';
  return quote + word + (isOpen ? '' : quote);
}

/** True if the draft has it already, so that Enter sends what is typed: a folder also without its `/`. */
function isTyped({completed}: MenuItem, {text}: Draft): boolean {
  const typed = text.trimEnd();
  return completed !== undefined && [typed, `${typed}/`].includes(completed.text.trimEnd());
}

/** What a key does with an argument in the menu; `as_typed` if the draft has it already. */
type ArgumentKey = Reaction | 'send' | 'as_typed';

/** Completes an argument, where typing continues; `send` for the last one on Enter. */
export function argumentKey(
  state: AppState,
  item: MenuItem,
  {isEnter, at}: {readonly isEnter: boolean; readonly at: number},
): ArgumentKey {
  const tab = activeSession(state);
  const {key, draft} = tab;
  const {text = draft.text, isSent} = item.completed ?? {};
  if (isEnter ? isTyped(item, draft) : text === draft.text) return 'as_typed';
  // The files shown are for an earlier key press.
  if (item.file && state.files?.query !== typedPath(tab)?.path) return isEnter ? 'as_typed' : nothing;
  if (isEnter && isSent) return 'send';
  const insert = {from: 0, to: draft.text.length, insert: text, as: 'typing'} as const;
  return emitEvent({type: 'draft_changed', key, draft: change(draft, insert), at});
}

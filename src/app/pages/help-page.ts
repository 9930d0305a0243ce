import {descriptions} from '../keymap/action-descriptions.ts';
import {commands} from '../commands/index.ts';
import {keyFor, keyName, leaderKeyFor, UNBOUND} from '../keymap/key-names.ts';
import {defaultKeymap, type Action, type Bindings, type Context, type Keymap} from '../keymap/keymap.ts';

/** A section of the help: a key or command on the left, its description on the right. */
interface HelpSection {
  readonly title: string;
  /** The context of its keys; undefined for typed input. */
  readonly context?: Context;
  readonly rows: readonly {readonly keys: string; readonly does: string; readonly action?: Action}[];
}

const titles: Readonly<Record<Exclude<Context, 'more'>, string>> = {
  everywhere: 'Everywhere',
  prompt: 'In the prompt',
  queue: 'In the queue (above an empty prompt)',
  request: 'When the agent asks for permission',
  form: 'When the agent asks with a form',
  link: 'When the agent wants to open a URL',
  picker: 'In a list',
  sign_in: 'In the list of sign-in methods',
  history: 'In the list of earlier prompts',
  sessions: 'In the list of sessions',
  board: 'On the board',
  tasks: 'In the list of what runs',
  mcp: 'In the list of MCP servers',
  overlay: 'In a text page',
  replay: 'In a replay',
  transcript: 'In the transcript',
  review: 'In a review of changes',
};

/** In display order. */
export const helpContexts = Object.keys(titles) as readonly (keyof typeof titles)[];

/** Returns the help of all keys and commands, with the current bindings. */
export function helpSections(
  keymap: Keymap = defaultKeymap,
  problems: readonly string[] = [],
): readonly HelpSection[] {
  return [
    ...(problems.length > 0
      ? [{title: 'In your settings', rows: problems.map((does) => ({keys: '', does}))}]
      : []),
    ...helpContexts.map((context) => ({title: titles[context], context, rows: keyRows(keymap[context])})),
    leaderKeysHelp(keymap),
    {title: COMMANDS, rows: commandRows},
  ];
}

/** The title of the section of commands. */
export const COMMANDS = 'Commands';

const commandRows = [
  ...commands.map(({name, argument, description}) => ({
    keys: [`/${name}`, argument].filter(Boolean).join(' '),
    does: description,
  })),
  {keys: '//name', does: 'The agent’s own command of that name'},
];

/** A key and what it does, in a word or two. */
export interface KeyHelp {
  readonly keys: string;
  readonly does: string;
}

const FIRST_KEYS: readonly (readonly [action: Action, does: string])[] = [
  ['next_mode', 'mode'],
  ['choose_model', 'model'],
  ['edit_externally', 'editor'],
  ['paste_clipboard', 'paste image'],
  ['show_plan', 'plan'],
  ['open_transcript', 'transcript'],
  ['search_history', 'history'],
  ['stash_draft', 'stash'],
  ['up_or_earlier', 'queue, earlier'],
  ['move_left', 'open sessions'],
];

const FIRST_LEADER_KEYS: readonly (readonly [action: Action, does: string])[] = [
  ['open_palette', 'everything'],
  ['show_review', 'review changes'],
  ['show_sessions', 'resume a session'],
];

/** Returns the keys that everybody needs, for an empty prompt. */
export function firstKeys(keymap: Keymap): readonly KeyHelp[] {
  const bound = (actions: typeof FIRST_KEYS, keyOf: (action: Action) => string) =>
    actions.map(([action, does]) => ({keys: keyOf(action), does})).filter(({keys}) => keys !== UNBOUND);
  const [back] = keymap.everywhere.cancel_or_back ?? [];
  return [
    {keys: '/', does: 'commands'},
    {keys: '@', does: 'files'},
    {keys: '!', does: 'your shell'},
    {keys: `\\ ${keyFor('send', keymap)}`, does: 'new line'},
    ...bound(FIRST_KEYS, (action) => keyFor(action, keymap)),
    ...(back === undefined ? [] : [{keys: `${keyName(back)} ${keyName(back)}`, does: 'rewind'}]),
    ...bound(FIRST_LEADER_KEYS, (action) => leaderKeyFor(action, keymap)),
    ...bound(
      [
        ['clear_cancel_or_leave', 'twice: quit'],
        ['help_when_empty', 'all keys'],
      ],
      (action) => keyFor(action, keymap),
    ),
  ];
}

/** Returns the help for the keys after the leader key. */
export function leaderKeysHelp(keymap: Keymap = defaultKeymap): HelpSection {
  return {title: contextTitle('more', keymap), context: 'more', rows: keyRows(keymap.more)};
}

/** Returns the help title of a context. */
export function contextTitle(context: Context, keymap: Keymap = defaultKeymap): string {
  return context === 'more' ? `After ${keyFor('more_keys', keymap)}` : titles[context];
}

/** Returns the bound keys of a context, each with its effect. */
export function keyRows(bindings: Bindings): HelpSection['rows'] {
  const bound = Object.entries(bindings) as [Action, readonly string[]][];
  return bound
    .filter(([, keys]) => keys.length > 0)
    .map(([action, keys]) => ({keys: keyList(keys), does: descriptions[action], action}));
}

/** Returns keys for display, in one line. */
export function keyList(keys: readonly string[]): string {
  const isDigits = keys.length > 2 && keys.every((key) => /^\d$/.test(key));
  return isDigits ? `${keys[0]}…${keys.at(-1)}` : keys.map(keyName).join(', ');
}

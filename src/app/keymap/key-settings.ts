import {descriptions} from './action-descriptions.ts';
import {KEYS_ALLOWED, readCombination} from '../input/keys.ts';
import {keyName} from './key-names.ts';
import {
  defaultKeymap,
  withBindings,
  type Action,
  type Bindings,
  type Context,
  type Keymap,
} from './keymap.ts';

/** The setting `keys`: replaces the default keys of an action; null or an empty list removes them. */
type KeySettings = Readonly<Record<string, string | readonly string[] | null>>;

/** The keymap, and a sentence for each custom key that is invalid or takes a key from another action. */
interface ReadKeys {
  readonly keymap: Keymap;
  /** The `problems` with invalid settings. */
  readonly wrong: readonly string[];
  readonly problems: readonly string[];
}

/** Without these, nothing could be sent, closed or quit. */
const needed = new Set<Action>(['send', 'cancel_or_back', 'clear_cancel_or_leave']);

/** In these contexts a character is text. */
const TYPING: ReadonlySet<Context> = new Set<Context>([
  'everywhere',
  'prompt',
  'form',
  'picker',
  'history',
  'sessions',
  'board',
  'tasks',
  'mcp',
]);

/** Applies the setting `keys` to the default keymap. A custom key takes precedence over the default action of that key. */
export function readKeys(settings: KeySettings, defaults: Keymap = defaultKeymap): ReadKeys {
  if (Object.keys(settings).length === 0) return {keymap: defaults, wrong: [], problems: []};
  const wrong: string[] = [];
  const custom = new Map<Action, readonly string[]>();
  for (const [name, written] of Object.entries(settings)) {
    if (!isAction(name)) {
      wrong.push(`keys: Unknown action ${JSON.stringify(name)}. Actions: ${actions.join(', ')}.`);
      continue;
    }
    const keys = readList(name, [written ?? []].flat(), wrong);
    if (keys) custom.set(name, keys);
  }
  const problems = [...wrong];
  const keymap = withBindings(defaults, inContexts(custom, defaults));
  const contexts = Object.keys(defaults) as Context[];
  const entries = contexts.map((context) => [context, settled(context, {keymap, custom, problems})] as const);
  return {keymap: {...keymap, ...Object.fromEntries(entries)}, wrong, problems: [...new Set(problems)]};
}

/** Actions with a number have fixed keys. */
const actions = (Object.keys(descriptions) as readonly Action[]).filter(
  (action) => action !== 'choose_by_number' && action !== 'show_session',
);

function isAction(name: string): name is Action {
  return (actions as readonly string[]).includes(name);
}

/** Undefined if the action keeps its default keys. */
function readList(action: Action, written: readonly string[], problems: string[]): string[] | undefined {
  const keys: string[] = [];
  for (const key of written) {
    const combination = readCombination(key);
    const problem =
      combination === undefined
        ? `Unknown key ${JSON.stringify(key)}. A key is ${KEYS_ALLOWED}.`
        : isAlwaysText(action, combination) &&
          `${JSON.stringify(key)} would block typing; add ctrl+ or alt+.`;
    if (problem) problems.push(`keys: ${action}: ${problem}`);
    else if (combination !== undefined) keys.push(combination);
  }
  const isUsable = keys.length > 0 || (written.length === 0 && !needed.has(action));
  if (!isUsable) problems.push(`keys: ${action} needs a key; its default keys are used.`);
  return isUsable ? keys : undefined;
}

const CHARACTER = /^(?:shift\+)?(?:.|space)$/u;

/** True if a key could no longer be typed in a context. Where a character does the action by default, it does so only while that is no text. */
function isText(key: string, action: Action, [context, bindings]: readonly [Context, Bindings]): boolean {
  const isUsual = bindings[action]?.some((usual) => CHARACTER.test(usual));
  return CHARACTER.test(key) && TYPING.has(context) && !isUsual;
}

const contextsOf = (keymap: Keymap) => Object.entries(keymap) as [Context, Bindings][];

function isAlwaysText(action: Action, key: string): boolean {
  const having = contextsOf(defaultKeymap).filter(([, bindings]) => action in bindings);
  return having.every((context) => isText(key, action, context));
}

/** Gives an action its custom keys in every context that has it, without those that are text there; if none is left, its default keys. */
function inContexts(custom: ReadonlyMap<Action, readonly string[]>, defaults: Keymap): Partial<Keymap> {
  return Object.fromEntries(
    contextsOf(defaults).map(([context, bindings]) => {
      const own = [...custom].flatMap(([action, keys]) => {
        const usual = bindings[action];
        const usable = keys.filter((key) => !isText(key, action, [context, bindings]));
        return usual ? [[action, usable.length > 0 || keys.length === 0 ? usable : usual] as const] : [];
      });
      return [context, Object.fromEntries(own)];
    }),
  );
}

interface CustomKeys {
  readonly keymap: Keymap;
  readonly custom: ReadonlyMap<Action, readonly string[]>;
  readonly problems: string[];
}

/** Returns the bindings of a context with one action per key; custom keys take precedence over defaults. */
function settled(context: Context, {keymap, custom, problems}: CustomKeys): Bindings {
  const bound = Object.entries(keymap[context]) as [Action, readonly string[]][];
  const order = [...custom.keys(), ...bound.map(([action]) => action)];
  const inOrder = bound.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const owners = new Map<string, Action>();
  for (const [action, keys] of inOrder) {
    for (const key of keys) {
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, action);
      else problems.push(conflict(key, [owner, action]));
    }
  }
  for (const hidden of hiddenBy(context)) reportHidden({owners, hidden, context}, {keymap, custom, problems});
  return Object.fromEntries(
    bound.map(([action, keys]) => [action, keys.filter((key) => owners.get(key) === action)]),
  );
}

/** Returns the contexts whose keys this one overrides. */
function hiddenBy(context: Context): readonly Context[] {
  if (context === 'everywhere') return [];
  return context === 'transcript' ? ['overlay', 'everywhere'] : ['everywhere'];
}

interface Layers {
  readonly owners: ReadonlyMap<string, Action>;
  readonly context: Context;
  readonly hidden: Context;
}

function reportHidden({owners, context, hidden}: Layers, {keymap, custom, problems}: CustomKeys): void {
  const below = Object.entries(keymap[hidden]) as [Action, readonly string[]][];
  const place = hidden === 'everywhere' ? '' : `in the ${context} `;
  for (const [action, keys] of below) {
    for (const key of keys) {
      const owner = owners.get(key);
      if (owner !== undefined && owner !== action && (custom.has(owner) || custom.has(action)))
        problems.push(conflict(key, [owner, action], place));
    }
  }
}

/** @param place the only context in which the first action wins, followed by a space */
function conflict(key: string, [owner, other]: readonly [Action, Action], place = ''): string {
  return `keys: ${keyName(key)} is bound to ${owner} and to ${other}; ${place}it does ${owner}. Give ${other} other keys, or null.`;
}

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

/** `keys` of the settings: for an action its keys instead of the usual ones; none where it is null or empty. */
type KeySettings = Readonly<Record<string, string | readonly string[] | null>>;

/** The keys as they are now, and a sentence for each wish that could not be met, or that takes a key from another action. */
export interface ReadKeys {
  readonly keymap: Keymap;
  /** Those of `problems` that are about a wish that cannot be met at all. */
  readonly wrong: readonly string[];
  readonly problems: readonly string[];
}

/** Without these nothing could be sent, closed or left. */
const needed = new Set<Action>(['send', 'cancel_or_back', 'clear_cancel_or_leave']);

/** In these contexts a character is text. */
const typing: readonly Context[] = ['prompt', 'everywhere'];

/** What these do depends on the draft being empty; otherwise their key types its text. */
const typesToo = new Set<Action>(['help_when_empty']);

/** Reads `keys` of the settings over the usual keys. A wish for a key goes before the usual action of that key. */
export function readKeys(settings: KeySettings, usual: Keymap = defaultKeymap): ReadKeys {
  const wrong: string[] = [];
  const wishes = new Map<Action, readonly string[]>();
  for (const [name, written] of Object.entries(settings)) {
    if (!isAction(name)) {
      wrong.push(`keys: Unknown action ${JSON.stringify(name)}. Actions: ${actions.join(', ')}.`);
      continue;
    }
    const keys = readList(name, [written ?? []].flat(), wrong);
    if (keys) wishes.set(name, keys);
  }
  const problems = [...wrong];
  const wished = withBindings(usual, inContexts(wishes, usual));
  const contexts = Object.keys(usual) as Context[];
  const entries = contexts.map((context) => [context, settled(context, {wished, wishes, problems})] as const);
  return {keymap: {...wished, ...Object.fromEntries(entries)}, wrong, problems: [...new Set(problems)]};
}

/** Numbers are what they are. */
const actions = (Object.keys(descriptions) as readonly Action[]).filter(
  (action) => action !== 'choose_by_number',
);

function isAction(name: string): name is Action {
  return (actions as readonly string[]).includes(name);
}

/** Undefined where the action keeps its usual keys. */
function readList(action: Action, written: readonly string[], problems: string[]): string[] | undefined {
  const keys: string[] = [];
  for (const key of written) {
    const combination = readCombination(key);
    const problem =
      combination === undefined
        ? `Unknown key ${JSON.stringify(key)}. A key is ${KEYS_ALLOWED}.`
        : isText(action, combination) && `${JSON.stringify(key)} would block typing; add ctrl+ or alt+.`;
    if (problem) problems.push(`keys: ${action}: ${problem}`);
    else if (combination !== undefined) keys.push(combination);
  }
  const isUsable = keys.length > 0 || (written.length === 0 && !needed.has(action));
  if (!isUsable) problems.push(`keys: ${action} needs a key; its default keys are used.`);
  return isUsable ? keys : undefined;
}

/** True if a key would no longer be text where text is typed. */
function isText(action: Action, combination: string): boolean {
  const isCharacter = /^(?:shift\+)?(?:.|space)$/u.test(combination);
  return isCharacter && !typesToo.has(action) && typing.some((context) => action in defaultKeymap[context]);
}

/** An action that several contexts know gets its keys in all of them. */
function inContexts(wishes: ReadonlyMap<Action, readonly string[]>, usual: Keymap): Partial<Keymap> {
  const contexts = Object.entries(usual) as [Context, Bindings][];
  return Object.fromEntries(
    contexts.map(([context, bindings]) => [
      context,
      Object.fromEntries([...wishes].filter(([action]) => action in bindings)),
    ]),
  );
}

interface Wished {
  readonly wished: Keymap;
  readonly wishes: ReadonlyMap<Action, readonly string[]>;
  readonly problems: string[];
}

/** The bindings of a context in which each key does one thing: of two actions that want it, the first that was wished for. */
function settled(context: Context, {wished, wishes, problems}: Wished): Bindings {
  const bound = Object.entries(wished[context]) as [Action, readonly string[]][];
  const order = [...wishes.keys(), ...bound.map(([action]) => action)];
  const inOrder = bound.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const owners = new Map<string, Action>();
  for (const [action, keys] of inOrder) {
    for (const key of keys) {
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, action);
      else problems.push(conflict(key, [owner, action]));
    }
  }
  for (const hidden of hiddenBy(context)) tellHidden({owners, hidden, context}, {wished, wishes, problems});
  return Object.fromEntries(
    bound.map(([action, keys]) => [action, keys.filter((key) => owners.get(key) === action)]),
  );
}

/** A context's own keys go before those that work everywhere, and the transcript's before those of any text. */
function hiddenBy(context: Context): readonly Context[] {
  if (context === 'everywhere') return [];
  return context === 'transcript' ? ['overlay', 'everywhere'] : ['everywhere'];
}

interface Layers {
  readonly owners: ReadonlyMap<string, Action>;
  readonly context: Context;
  readonly hidden: Context;
}

function tellHidden({owners, context, hidden}: Layers, {wished, wishes, problems}: Wished): void {
  const below = Object.entries(wished[hidden]) as [Action, readonly string[]][];
  const place = hidden === 'everywhere' ? '' : `in the ${context} `;
  for (const [action, keys] of below) {
    for (const key of keys) {
      const owner = owners.get(key);
      if (owner !== undefined && owner !== action && (wishes.has(owner) || wishes.has(action)))
        problems.push(conflict(key, [owner, action], place));
    }
  }
}

/** @param place where only there the first goes before the other, with a space behind it */
function conflict(key: string, [owner, other]: readonly [Action, Action], place = ''): string {
  return `keys: ${keyName(key)} is bound to ${owner} and to ${other}; ${place}it does ${owner}. Give ${other} other keys, or null.`;
}

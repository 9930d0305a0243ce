import type {Key as InkKey} from 'ink';

/** Named keys, as written in settings. */
const namedKeys = [
  'enter',
  'tab',
  'escape',
  'space',
  'up',
  'down',
  'left',
  'right',
  'home',
  'end',
  'pageup',
  'pagedown',
  'backspace',
  'delete',
] as const;

type NamedKey = (typeof namedKeys)[number];

/** A named key, or the key's character, in lower case if it has one. */
type KeyName = NamedKey | (string & {});

/** A key press, or text that arrived together without being a key (fast typing, an input method). */
export interface KeyPress {
  readonly kind: 'key';
  /** Undefined when `text` is longer than one character. */
  readonly name: KeyName | undefined;
  /** The text to insert if the key is not bound; empty for named keys and combinations with Ctrl or Alt. */
  readonly text: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** Milliseconds on the window's clock. */
  readonly at: number;
}

export type KeyEvent = KeyPress | {readonly kind: 'paste'; readonly text: string; readonly at: number};

/** Returns the combination as written in settings: `ctrl+x`, `alt+enter`, `shift+tab`, `x`; undefined if the event is only text. */
export function combinationOf(key: KeyPress): string | undefined {
  if (key.name === undefined) return undefined;
  return `${key.ctrl ? 'ctrl+' : ''}${key.alt ? 'alt+' : ''}${key.shift ? 'shift+' : ''}${key.name}`;
}

const names: readonly (readonly [keyof InkKey, NamedKey])[] = [
  ['return', 'enter'],
  ['tab', 'tab'],
  ['escape', 'escape'],
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['home', 'home'],
  ['end', 'end'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
];

/** Characters of Shift combinations in terminals that report keys instead of characters; only those of default bindings. */
const shifted: Readonly<Record<string, string>> = {'-': '_', ',': '<', '.': '>'};

/**
 * Converts an event of Ink's `useInput` to a key event, so that legacy bytes and the kitty protocol look the same. Undefined for unsupported events: releases,
 * combinations with Super or Hyper, keys that Ink cannot name.
 */
export function fromInk(input: string, key: InkKey, at: number): KeyEvent | undefined {
  if (key.eventType === 'release' || key.super || key.hyper) return undefined;
  const press = {kind: 'key', text: '', ctrl: key.ctrl, alt: key.meta, shift: key.shift, at} as const;
  const named = names.find(([flag]) => key[flag]);
  if (named) return {...press, name: named[1]};
  if (input === '') return undefined;
  // Legacy terminals send Ctrl+J as a line feed, which Ink passes on as text.
  if (input === '\n') return {...press, name: 'j', ctrl: true};
  if (input === ' ') return {...press, name: 'space', text: key.ctrl || key.meta ? '' : ' '};
  if (/^.$/su.test(input)) return character(input, press);
  // Without a filter in front of Ink a burst can contain line ends: then it is a paste, never a submission.
  return /[\r\n]/.test(input)
    ? {kind: 'paste', text: input, at}
    : {...press, name: undefined, text: input, shift: false};
}

function character(input: string, press: Omit<KeyPress, 'name'>): KeyPress {
  const combined = press.ctrl || press.alt;
  const other = combined && press.shift ? shifted[input] : undefined;
  if (other !== undefined) return {...press, name: other, shift: false};
  return {...press, name: input.toLowerCase(), text: combined ? '' : input};
}

/** Returns the keys of text that arrived together, for places where each character is a command. */
export function separateKeys(key: KeyPress): readonly KeyPress[] {
  if (key.name !== undefined) return [key];
  return Array.from(key.text, (text) => {
    const press = character(text, {...key, shift: text !== text.toLowerCase()});
    return text === ' ' ? {...press, name: 'space'} : press;
  });
}

/** Converts an event of Ink's `usePaste` to a key event. */
export function pasteFromInk(text: string, at: number): KeyEvent {
  return {kind: 'paste', text, at};
}

/** Keys encoded with a letter (`ESC [ A`), and those encoded with a number (`ESC [ 5 ~`). */
const LETTERS: Readonly<Partial<Record<string, string>>> = {
  up: 'A',
  down: 'B',
  right: 'C',
  left: 'D',
  home: 'H',
  end: 'F',
};
const NUMBERS: Readonly<Partial<Record<string, number>>> = {delete: 3, pageup: 5, pagedown: 6};

const PLAIN: Readonly<Partial<Record<string, string>>> = {
  enter: '\r',
  tab: '\t',
  escape: '\x1b',
  backspace: '\x7f',
} satisfies Partial<Record<NamedKey, string>>;

/** Returns the bytes that xterm sends to a program for a key or paste; empty if none. */
export function keyBytes(key: KeyEvent): string {
  return key.kind === 'paste' ? key.text : pressBytes(key);
}

function pressBytes(key: KeyPress): string {
  const {name, text, ctrl, alt, shift} = key;
  const modifiers = 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
  const letter = name === undefined ? undefined : LETTERS[name];
  if (letter !== undefined) return modifiers === 1 ? `\x1b[${letter}` : `\x1b[1;${modifiers}${letter}`;
  const number = name === undefined ? undefined : NUMBERS[name];
  if (number !== undefined) return modifiers === 1 ? `\x1b[${number}~` : `\x1b[${number};${modifiers}~`;
  if (name === 'tab' && shift) return '\x1b[Z';
  return (
    (alt ? '\x1b' : '') + (ctrl ? controlByte(name ?? '') : (PLAIN[name ?? ''] ?? (text || (name ?? ''))))
  );
}

/** Returns the control character of a key: letters, and the few characters after them in ASCII. */
function controlByte(name: string): string {
  if (name === 'backspace') return '\b';
  if (name === 'space') return '\0';
  if (name === '/') return '\x1f';
  if (/^[a-z@[\\\]^_]$/.test(name)) return String.fromCharCode(name.toUpperCase().charCodeAt(0) & 0x1f);
  return PLAIN[name] ?? '';
}

/** Accepted synonyms. */
const synonyms: Readonly<Record<string, string>> = {
  control: 'ctrl',
  meta: 'alt',
  option: 'alt',
  esc: 'escape',
  return: 'enter',
  del: 'delete',
  pgup: 'pageup',
  pgdn: 'pagedown',
};

/** In the order of `combinationOf`. */
const modifiers = ['ctrl', 'alt', 'shift'] as const;

/** The syntax of keys, for error messages. */
export const KEYS_ALLOWED = `a character or one of ${namedKeys.join(', ')}, optionally after ctrl+, alt+ and shift+`;

/** Parses a combination (`Ctrl+Y`, `alt+shift+left`, `G`) to the form of `combinationOf`; undefined if it is invalid. */
export function readCombination(written: string): string | undefined {
  // The last + may be the key itself.
  const parts = written.trim().split(/\+(?=.)/u);
  const key = parts.pop() ?? '';
  const isCharacter = /^\S$/u.test(key);
  const name = isCharacter ? key : (synonyms[key.toLowerCase()] ?? key.toLowerCase());
  const isKey = isCharacter || (namedKeys as readonly string[]).includes(name);
  const held = new Set(parts.map((part) => synonyms[part.toLowerCase()] ?? part.toLowerCase()));
  const areModifiers = [...held].every((part) => (modifiers as readonly string[]).includes(part));
  if (!isKey || !areModifiers) return undefined;
  if (name !== name.toLowerCase() && held.size === 0) held.add('shift');
  return [...modifiers.filter((modifier) => held.has(modifier)), name.toLowerCase()].join('+');
}

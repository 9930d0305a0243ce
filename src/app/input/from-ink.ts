import type {KeyEvent, KeyPress, NamedKey} from './key-event.ts';

/** What Ink's `useInput` tells of a key, as far as it is read here. */
export interface InkKey {
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly leftArrow: boolean;
  readonly rightArrow: boolean;
  readonly pageUp: boolean;
  readonly pageDown: boolean;
  readonly home: boolean;
  readonly end: boolean;
  readonly return: boolean;
  readonly escape: boolean;
  readonly tab: boolean;
  readonly backspace: boolean;
  readonly delete: boolean;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
  readonly super: boolean;
  readonly hyper: boolean;
  readonly eventType?: 'press' | 'repeat' | 'release' | undefined;
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

/** What Shift makes of a key in terminals that report the key instead of the character; only where a default binding needs it. */
const shifted: Readonly<Record<string, string>> = {'-': '_', ',': '<', '.': '>'};

/**
 * Turns what Ink's `useInput` reports into a key event, so that legacy bytes and the kitty protocol look the same.
 * Undefined for what is no key of ours: releases, combinations with Super or Hyper, keys that Ink cannot name.
 */
export function fromInk(input: string, key: InkKey, at: number): KeyEvent | undefined {
  if (key.eventType === 'release' || key.super || key.hyper) return undefined;
  const press = {kind: 'key', text: '', ctrl: key.ctrl, alt: key.meta, shift: key.shift, at} as const;
  const named = names.find(([flag]) => key[flag]);
  if (named) return {...press, name: named[1]};
  if (input === '') return undefined;
  // Legacy terminals send Ctrl+J as a line feed, which Ink hands on as text.
  if (input === '\n') return {...press, name: 'j', ctrl: true};
  if (input === ' ') return {...press, name: 'space', text: key.ctrl || key.meta ? '' : ' '};
  if (/^.$/su.test(input)) return character(input, press);
  // Without a filter in front of Ink a burst can hold line ends: then it is a paste, never a submission.
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

/** Turns what Ink's `usePaste` reports into a key event. */
export function pasteFromInk(text: string, at: number): KeyEvent {
  return {kind: 'paste', text, at};
}

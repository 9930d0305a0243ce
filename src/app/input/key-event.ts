/** Keys that have a name instead of a character, as users write them in settings. */
export const namedKeys = [
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

export type NamedKey = (typeof namedKeys)[number];

/** A named key, or the one character that the key stands for, in lower case where it has one. */
export type KeyName = NamedKey | (string & {});

/** One press of a key, or text that arrived together without being a key (fast typing, an input method). */
export interface KeyPress {
  readonly kind: 'key';
  /** Undefined when `text` is longer than one character. */
  readonly name: KeyName | undefined;
  /** What to insert where the key is bound to nothing; empty for named keys and for combinations with Ctrl or Alt. */
  readonly text: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A paste, always whole. Its text is as the terminal sent it: with `\r` for line ends, perhaps with control characters. */
export interface PasteEvent {
  readonly kind: 'paste';
  readonly text: string;
  readonly at: number;
}

export type KeyEvent = KeyPress | PasteEvent;

/** The combination as users write it: `ctrl+x`, `alt+enter`, `shift+tab`, `x`; undefined when the event is only text. */
export function combinationOf(key: KeyPress): string | undefined {
  if (key.name === undefined) return undefined;
  return `${key.ctrl ? 'ctrl+' : ''}${key.alt ? 'alt+' : ''}${key.shift ? 'shift+' : ''}${key.name}`;
}

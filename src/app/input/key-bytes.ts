import type {KeyEvent, KeyPress, NamedKey} from './key-event.ts';

/** Keys that end in a letter (`ESC [ A`), and those that are numbers (`ESC [ 5 ~`). */
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

/** A key or paste as an xterm sends it to the program that runs in it; empty for what it would not send. */
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

/** What Ctrl makes of a key: the letters, and the few signs behind them in ASCII. */
function controlByte(name: string): string {
  if (name === 'backspace') return '\b';
  if (name === 'space') return '\0';
  if (name === '/') return '\x1f';
  if (/^[a-z@[\\\]^_]$/.test(name)) return String.fromCharCode(name.toUpperCase().charCodeAt(0) & 0x1f);
  return PLAIN[name] ?? '';
}

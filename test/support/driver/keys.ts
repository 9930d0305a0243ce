/** The bytes that a terminal sends for a key, by its common name. */
const KEYS = {
  enter: '\r',
  'alt+enter': '\x1b\r',
  'shift+enter': '\x1b[13;2u',
  tab: '\t',
  'shift+tab': '\x1b[Z',
  escape: '\x1b',
  backspace: '\x7f',
  delete: '\x1b[3~',
  up: '\x1b[A',
  'alt+up': '\x1b[1;3A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  home: '\x1b[H',
  end: '\x1b[F',
  pageup: '\x1b[5~',
  pagedown: '\x1b[6~',
  'ctrl+left': '\x1b[1;5D',
  'ctrl+right': '\x1b[1;5C',
  'ctrl+_': '\x1f',
} as const;

export type KeyName = keyof typeof KEYS | `ctrl+${string}` | `alt+${string}`;

/** The bytes of one key: a name from the list, `ctrl+letter`, or `alt+letter`. */
export function bytesOf(key: KeyName): string {
  if (key in KEYS) return KEYS[key as keyof typeof KEYS];
  const [modifier, letter = ''] = key.split('+');
  return modifier === 'ctrl' ? String.fromCharCode(letter.charCodeAt(0) & 0x1f) : `\x1b${letter}`;
}

import type {Paint} from './paint.ts';

export type Charset = 'unicode' | 'ascii';

/** Symbols on the screen; each is one column wide, except in linear output. */
export interface Symbols {
  /** Before the user's text. */
  readonly user: string;
  readonly pending: string;
  readonly running: string;
  readonly done: string;
  /** Replaces the done and failed marks if colors distinguish them. */
  readonly ended: string;
  readonly failed: string;
  readonly cancelled: string;
  readonly thought: string;
  readonly notice: string;
  readonly warning: string;
  readonly rule: string;
  /** Of a box, left and right. */
  readonly corners: {readonly top: readonly [string, string]; readonly bottom: readonly [string, string]};
  readonly ellipsis: string;
  readonly dot: string;
  readonly times: string;
  readonly minus: string;
  readonly arrow: string;
  readonly selected: string;
  /** Before each line of untrusted text. */
  readonly bar: string;
  /** Marks the continuation rows of a line. */
  readonly continued: string;
  /** After something that can be unfolded or folded. */
  readonly folded: string;
  readonly unfolded: string;
  readonly down: string;
  readonly barFull: string;
  readonly barEmpty: string;
  readonly spinner: readonly string[];
}

const unicodeSymbols: Symbols = {
  user: '▌',
  pending: '○',
  running: '◐',
  done: '✓',
  ended: '●',
  failed: '✗',
  cancelled: '⊘',
  thought: '∴',
  notice: '·',
  warning: '!',
  rule: '─',
  corners: {top: ['╭', '╮'], bottom: ['╰', '╯']},
  ellipsis: '…',
  dot: '·',
  times: '×',
  minus: '−',
  arrow: '→',
  selected: '❯',
  bar: '│',
  continued: '┆',
  folded: '▸',
  unfolded: '▾',
  down: '↓',
  barFull: '▰',
  barEmpty: '▱',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

const asciiSymbols: Symbols = {
  user: '|',
  pending: 'o',
  running: '~',
  done: '+',
  ended: '*',
  failed: 'x',
  cancelled: '/',
  thought: ':',
  notice: '-',
  warning: '!',
  rule: '-',
  corners: {top: ['+', '+'], bottom: ['+', '+']},
  ellipsis: '.',
  dot: '-',
  times: 'x',
  minus: '-',
  arrow: '>',
  selected: '>',
  bar: '|',
  continued: ':',
  folded: '+',
  unfolded: '-',
  down: 'v',
  barFull: '#',
  barEmpty: '.',
  spinner: ['|', '/', '-', '\\'],
};

/** Words instead of symbols, for screen readers and terminals without cursor movement; if empty, the text says it. */
const spokenSymbols: Partial<Symbols> = {
  user: 'You:',
  pending: 'Waiting:',
  running: 'Running:',
  done: 'Done:',
  ended: 'Done:',
  failed: 'Failed:',
  cancelled: 'Cancelled:',
  thought: '',
  notice: '',
  warning: '',
  rule: '',
  selected: 'Selected:',
  // Not blank: untrusted text must not look like acp-tui's.
  bar: '|',
};

/** Returns the symbols for a Unicode or ASCII terminal; words for linear output. */
export function symbolsFor(charset: Charset, isLinear = false): Symbols {
  if (isLinear) return charset === 'unicode' ? spokenUnicode : spokenAscii;
  return charset === 'unicode' ? unicodeSymbols : asciiSymbols;
}

const spokenUnicode: Symbols = {...unicodeSymbols, ...spokenSymbols};
const spokenAscii: Symbols = {...asciiSymbols, ...spokenSymbols};

/** Returns the mark of something finished; the text also says how it ended. */
export function drawEnd(
  how: 'done' | 'failed',
  {paint, symbols}: {readonly paint: Paint; readonly symbols: Symbols},
): string {
  const style = how === 'done' ? paint.success : paint.error;
  return style(paint.isColored ? symbols.ended : symbols[how]);
}

/** The symbols acp-tui draws with, and ASCII replacements of the same width. Text from agents is unchanged. */
const standIns: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '…': '.',
    '·': '-',
    '•': '*',
    '│': '|',
    '┆': ':',
    '⟨': '<',
    '⟩': '>',
    '─': '-',
    '┼': '+',
    '├': '+',
    '┤': '+',
    '┬': '+',
    '┴': '+',
    '↑': '^',
    '↓': 'v',
    '←': '<',
    '→': '>',
    '“': '"',
    '”': '"',
    '‘': "'",
    '’': "'",
    '–': '-',
    '—': '-',
    '×': 'x',
  }),
);

const known = new RegExp(`[${[...standIns.keys()].join('')}]`, 'gu');

/** Replaces symbols for ASCII-only terminals. */
export function toAscii(text: string): string {
  return text.replace(known, (character) => standIns.get(character) ?? '?');
}

import type {Paint} from './paint.ts';

export type Charset = 'unicode' | 'ascii';

/** The symbols used on the screen; each is one column wide, except in lines that are read aloud. */
export interface Symbols {
  /** Before what the user wrote. */
  readonly user: string;
  readonly pending: string;
  readonly running: string;
  readonly done: string;
  /** Instead of the marks for done and failed, where their colors tell them apart. */
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
  /** Before each line of others' text. */
  readonly bar: string;
  /** Marks the continuation rows of a line. */
  readonly continued: string;
  /** Behind what can be opened, or folded again. */
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

/** Words instead of signs, for screen readers and terminals that cannot redraw; the empty ones have their word in the text. */
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
  // Not a blank: others' text must not look like ours.
  bar: '|',
};

/** The signs for a terminal that shows Unicode, or for one that shows ASCII only; words where lines are read one after the other. */
export function symbolsFor(charset: Charset, isLinear = false): Symbols {
  if (isLinear) return charset === 'unicode' ? spokenUnicode : spokenAscii;
  return charset === 'unicode' ? unicodeSymbols : asciiSymbols;
}

const spokenUnicode: Symbols = {...unicodeSymbols, ...spokenSymbols};
const spokenAscii: Symbols = {...asciiSymbols, ...spokenSymbols};

/** The mark of what is over: words say how as well. */
export function drawEnd(
  how: 'done' | 'failed',
  {paint, symbols}: {readonly paint: Paint; readonly symbols: Symbols},
): string {
  const style = how === 'done' ? paint.success : paint.error;
  return style(paint.isColored ? symbols.ended : symbols[how]);
}

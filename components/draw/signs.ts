/** The characters that stand for something on the screen; each is one column wide. */
export interface Signs {
  readonly prompt: string;
  readonly bullet: string;
  readonly pending: string;
  readonly running: string;
  readonly done: string;
  readonly failed: string;
  readonly cancelled: string;
  readonly thought: string;
  readonly notice: string;
  readonly warning: string;
  readonly rule: string;
  readonly ellipsis: string;
  readonly dot: string;
  readonly times: string;
  readonly minus: string;
  readonly arrow: string;
  readonly selected: string;
  readonly barFull: string;
  readonly barEmpty: string;
  readonly border: 'round' | 'classic';
  readonly spinner: readonly string[];
}

const unicodeSigns: Signs = {
  prompt: '❯',
  bullet: '•',
  pending: '○',
  running: '◐',
  done: '✓',
  failed: '✗',
  cancelled: '⊘',
  thought: '∴',
  notice: '·',
  warning: '!',
  rule: '─',
  ellipsis: '…',
  dot: '·',
  times: '×',
  minus: '−',
  arrow: '→',
  selected: '❯',
  barFull: '█',
  barEmpty: '░',
  border: 'round',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

const asciiSigns: Signs = {
  prompt: '>',
  bullet: '*',
  pending: 'o',
  running: '~',
  done: '+',
  failed: 'x',
  cancelled: '/',
  thought: ':',
  notice: '-',
  warning: '!',
  rule: '-',
  ellipsis: '.',
  dot: '-',
  times: 'x',
  minus: '-',
  arrow: '>',
  selected: '>',
  barFull: '#',
  barEmpty: '.',
  border: 'classic',
  spinner: ['|', '/', '-', '\\'],
};

/** The signs for a terminal that shows Unicode, or for one that shows ASCII only. */
export function signsFor(charset: 'unicode' | 'ascii'): Signs {
  return charset === 'unicode' ? unicodeSigns : asciiSigns;
}

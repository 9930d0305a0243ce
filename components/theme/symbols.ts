import type {ToolStatus} from '../../src/session/entries.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import type {Paint} from './paint.ts';

export type Charset = 'unicode' | 'ascii';

/**
 * Symbols in Unicode and ASCII, each one column wide; and words for screen readers and terminals without cursor movement: if empty, the text says it. What
 * `toAscii` replaces and has no word, such as `·` and `…`, is written as it is.
 */
const SYMBOLS = {
  /** Before the user's text. */
  user: ['▌', '|', 'You:'],
  pending: ['○', 'o', 'Pending:'],
  running: ['◐', '~', 'Running:'],
  done: ['✓', '+', 'Done:'],
  /** Replaces the done and failed marks if colors distinguish them. */
  ended: ['●', '*', 'Done:'],
  failed: ['✗', 'x', 'Failed:'],
  cancelled: ['⊘', '/', 'Cancelled:'],
  thought: ['∴', ':', ''],
  notice: ['·', '-', ''],
  warning: ['!', '!', ''],
  rule: ['─', '-', ''],
  minus: ['−', '-'],
  selected: ['❯', '>', 'Selected:'],
  /** Before each line of untrusted text, also when it is spoken: it must not look like acp-tui's. */
  bar: ['│', '|', '|'],
  /** After something that can be unfolded or folded. */
  folded: ['▸', '+'],
  unfolded: ['▾', '-'],
  barFull: ['▰', '#'],
  barEmpty: ['▱', '.'],
} as const satisfies Readonly<Record<string, readonly [unicode: string, ascii: string, spoken?: string]>>;

export interface Symbols extends Readonly<Record<keyof typeof SYMBOLS, string>> {
  /** Of a box, left and right. */
  readonly corners: {readonly top: readonly [string, string]; readonly bottom: readonly [string, string]};
  readonly spinner: readonly string[];
}

function symbolsIn(charset: Charset, isLinear: boolean): Symbols {
  const isUnicode = charset === 'unicode';
  const all = Object.entries(SYMBOLS).map(([name, [unicode, ascii, spoken]]) => {
    const shown = isUnicode ? unicode : ascii;
    return [name, isLinear ? (spoken ?? shown) : shown];
  });
  return {
    ...(Object.fromEntries(all) as Record<keyof typeof SYMBOLS, string>),
    corners: isUnicode ? {top: ['╭', '╮'], bottom: ['╰', '╯']} : {top: ['+', '+'], bottom: ['+', '+']},
    spinner: Array.from(isUnicode ? '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏' : '|/-\\'),
  };
}

const drawn = {unicode: symbolsIn('unicode', false), ascii: symbolsIn('ascii', false)};
const spoken = {unicode: symbolsIn('unicode', true), ascii: symbolsIn('ascii', true)};

/** Returns the symbols for a Unicode or ASCII terminal; words for linear output. */
export function symbolsFor(charset: Charset, isLinear = false): Symbols {
  return (isLinear ? spoken : drawn)[charset];
}

/** The states of what has a mark: tool calls, commands and subagents. */
export type MarkedState = ToolStatus | 'rejected' | 'waiting';

/** Returns the mark of a state, in its color; if colors distinguish how something has ended, the marks of that are the same. */
export function stateMark(
  state: MarkedState,
  {paint, symbols}: {readonly paint: Paint; readonly symbols: Symbols},
): string {
  const marks: Readonly<Record<MarkedState, readonly [style: Style, sign: string]>> = {
    pending: [paint.dim, symbols.pending],
    paused: [paint.warning, symbols.pending],
    in_progress: [paint.accent, symbols.running],
    waiting: [paint.warning, symbols.warning],
    completed: [paint.success, paint.isColored ? symbols.ended : symbols.done],
    failed: [paint.error, paint.isColored ? symbols.ended : symbols.failed],
    cancelled: [paint.warning, symbols.cancelled],
    rejected: [paint.warning, symbols.cancelled],
  };
  const [style, sign] = marks[state];
  return style(sign);
}

/** The symbols acp-tui draws with, and ASCII replacements of the same width. Text from agents is unchanged. */
const STAND_INS = ['…·•│┆⟨⟩─┼├┤┬┴↑↓←→“”‘’–—×', '.-*|:<>-+++++^v<>""\'\'--x'] as const;
const STAND_IN = new RegExp(`[${STAND_INS[0]}]`, 'g');

/** Replaces symbols for ASCII-only terminals. */
export function toAscii(text: string): string {
  return text.replace(STAND_IN, (character) => STAND_INS[1].charAt(STAND_INS[0].indexOf(character)));
}

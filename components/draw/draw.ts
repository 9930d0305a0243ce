import type {Action} from '../../src/app/keymap/keymap.ts';
import type {SessionState} from '../../src/session/state.ts';
import {hasHidden, markHidden} from '../../src/text/hidden.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {expandTabs, wrapWhole} from '../../src/text/wrap.ts';
import type {Paint} from './paint.ts';
import type {Symbols} from './symbols.ts';
import type {Scroll} from '../../src/app/pages/scroll.ts';

/**
 * The drawing context that turns state into lines. Everything that can be long is drawn as lines of at most `columns`
 * columns, so that its height is known before it is on the screen, and so that each piece is wrapped only once.
 */
export interface Draw {
  readonly columns: number;
  readonly paint: Paint;
  readonly symbols: Symbols;
  /** True where lines are read one after the other: nothing is put at the right edge. */
  readonly isLinear: boolean;
  /** True inside a box. */
  readonly isBoxed?: boolean;
  /** Who the agent is, in words. */
  readonly agentName: string;
  /** Absolute working folder; paths inside it are shown relative to it. */
  readonly cwd: string;
  /** Whether long parts are folded, or opened as in the transcript viewer. */
  readonly extent: Extent;
  readonly terminals: SessionState['terminals'];
  readonly subagents: SessionState['subagents'];
  /** Keys that a card names, as they are pressed: `Ctrl+X i`. */
  /** The key for an action, as it is written for people. */
  readonly keyOf: (action: Action) => string;
  readonly keys: {
    readonly giveKeyboard: string;
    readonly stop: string;
    readonly openAll: string;
    readonly openContent: string;
  };
}

/** How something is drawn that belongs to a source, and perhaps to a part beside it. */
type DrawWith<Source, Part> = (source: Source, part: Part, draw: Draw) => readonly string[];

/** Draws what can be large once for each width: a request is drawn again with each key and each scroll. */
export function drawnOnce<Source extends object, Part>(
  drawLines: DrawWith<Source, Part>,
): DrawWith<Source, Part> {
  const known = new WeakMap<
    Source,
    {part: Part; columns: number; paint: Draw['paint']; lines: readonly string[]}
  >();
  return (source, part, draw) => {
    const before = known.get(source);
    if (before?.part === part && before?.columns === draw.columns && before.paint === draw.paint)
      return before.lines;
    const lines = drawLines(source, part, draw);
    known.set(source, {part, columns: draw.columns, paint: draw.paint, lines});
    return lines;
  };
}

/** A text that was read exactly, its escapes in the warning color. */
export function markEscapes(exact: string, {paint}: Pick<Draw, 'paint'>): string {
  return hasHidden(exact) ? markHidden(exact, paint.warning) : exact;
}

/** All of a text that was read exactly: no space is lost, and a row that continues a line is marked. */
export function drawExact(exact: string, draw: Draw): string[] {
  return exact.split('\n').flatMap((line) => drawExactLine(line, draw));
}

function drawExactLine(line: string, draw: Draw): string[] {
  const {columns, paint, symbols} = draw;
  const marked = markEscapes(expandTabs(line), draw);
  if (width(marked) <= columns) return [marked];
  const [head = '', ...rest] = wrapWhole(marked, Math.max(1, columns - 2));
  const mark = paint.dim(symbols.continued);
  return [head, ...rest.map((row) => `${mark} ${row}`)];
}

/** Sets off what others wrote from what we say: it cannot reach the edge, where our own frame and answers are. */
export function withBar(lines: readonly string[], {paint, symbols}: Draw): string[] {
  const bar = paint.line(symbols.bar);
  return lines.map((line) => `${bar} ${line}`.trimEnd());
}

/** Which of many rows to show so that one of them is seen, near the middle where possible; `to` is not shown any more. */
export function windowAround(
  selected: number,
  count: number,
  rows: number,
): {readonly from: number; readonly to: number} {
  const from = Math.max(0, Math.min(selected - Math.floor(rows / 2), count - rows));
  return {from, to: Math.min(count, from + rows)};
}

/** Lines of something that may be taller than its place, and what of it they show. */
export interface ScrolledLines {
  readonly lines: readonly string[];
  readonly drawn: Scroll;
}

/** A line across the screen with words in it; it frames without getting into what is copied from between. */
export function drawRule(words: string, style: Style, {columns, symbols, isLinear}: Draw): string {
  if (isLinear) return style(words);
  if (words === '') return style(symbols.rule.repeat(columns));
  const text = truncate(words, Math.max(0, columns - 4));
  const head = `${symbols.rule} ${text} `;
  return style(truncate(head + symbols.rule.repeat(Math.max(0, columns - width(head))), columns));
}

/** The same with other words at its right end, if there is room for them. */
export function drawHeading(
  {words, aside}: {readonly words: string; readonly aside: string},
  style: Style,
  draw: Draw,
): string {
  const {columns, symbols, paint} = draw;
  const free = columns - width(words) - width(aside) - ROUND_HEADING;
  if (aside === '' || free < 0) return drawRule(words, style, draw);
  const left = style(`${symbols.rule} ${words} ${symbols.rule.repeat(free + 1)}`);
  return `${left} ${paint.dim(aside)} ${style(symbols.rule)}`;
}

/** Columns of a heading that are neither words nor rule between them. */
const ROUND_HEADING = 7;

/** How much is drawn: the important lines, everything (in a viewer), or everything without smoothing (before an approval). */
export type Extent = 'folded' | 'whole' | 'exact';

import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Action} from '../../src/app/keymap/keymap.ts';
import type {SessionState} from '../../src/session/state.ts';
import {hasHidden, markHidden} from '../../src/text/hidden.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {expandTabs, wrapWhole} from '../../src/text/wrap.ts';
import type {Paint} from './paint.ts';
import type {Symbols} from './symbols.ts';

/**
 * The drawing context that turns state into lines. Everything that can be long is drawn as lines of at most `columns` columns, so that its height is known
 * before it is drawn, and each piece is wrapped only once.
 */
export interface DrawContext {
  readonly columns: number;
  readonly paint: Paint;
  readonly symbols: Symbols;
  /** True for linear output, where nothing is put at the right edge. */
  readonly isLinear: boolean;
  /** True inside a box. */
  readonly isBoxed?: boolean;
  /** The agent's name. */
  readonly agentName: string;
  /** Absolute working folder; paths inside it are shown relative to it. */
  readonly cwd: string;
  /** Whether long parts are folded, or unfolded as in the transcript viewer. */
  readonly extent: CardExtent;
  readonly terminals: SessionState['terminals'];
  readonly subagents: SessionState['subagents'];
  /** Tool calls that are drawn completely elsewhere: of those only the headline is drawn. */
  readonly asked?: ReadonlySet<acp.ToolCallId> | undefined;
  /** Returns an action's key for display: `Ctrl+O`; the same behind the prefix key: `Ctrl+X i`. */
  readonly keyOf: (action: Action) => string;
  readonly leaderKeyOf: (action: Action) => string;
  /** Says that the drawing lacks something that is still to come, like a picture that is being read. */
  readonly lacks?: () => void;
}

/** Shows an exact reading, with its escapes in the warning color. */
export function markEscapes(exact: string, {paint}: Pick<DrawContext, 'paint'>): string {
  return hasHidden(exact) ? markHidden(exact, paint.warning) : exact;
}

/** Draws an exact reading completely: spaces are kept, and continuation rows are marked. */
export function drawExact(exact: string, draw: DrawContext): string[] {
  return exact.split('\n').flatMap((line) => drawExactLine(line, draw));
}

function drawExactLine(line: string, draw: DrawContext): string[] {
  const {columns, paint, symbols} = draw;
  const marked = markEscapes(expandTabs(line), draw);
  if (width(marked) <= columns) return [marked];
  const [head = '', ...rest] = wrapWhole(marked, Math.max(1, columns - 2));
  const mark = paint.dim(symbols.continued);
  return [head, ...rest.map((row) => `${mark} ${row}`)];
}

/** Draws a bar before untrusted text: it cannot reach the edge, where acp-tui's own frame and answers are. */
export function withBar(lines: readonly string[], draw: DrawContext): string[] {
  return lines.map(afterBar(draw));
}

/** Returns a function that draws one untrusted line after a bar. */
export function afterBar({paint, symbols}: DrawContext): (line: string) => string {
  const bar = paint.line(symbols.bar);
  return (line) => `${bar} ${line}`.trimEnd();
}

/** Draws the selected row over the whole width. */
export function drawSelected(line: string, {paint, columns, isLinear}: DrawContext): string {
  return paint.selected(isLinear ? line : line + ' '.repeat(Math.max(0, columns - width(line))));
}

/** The cells of a choice in a panel, from its first row and column; `to` is exclusive. */
export interface ChoiceCells {
  /** The index of the choice. */
  readonly index: number;
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

/** Returns cells further down and to the right. */
export function offsetCells(choices: readonly ChoiceCells[], rows: number, columns = 0): ChoiceCells[] {
  return choices.map(({index, row, from, to}) => ({
    index,
    row: row + rows,
    from: from + columns,
    to: to + columns,
  }));
}

/** Draws a horizontal rule with text, without sides that would be copied with the content. */
export function drawRule(words: string, style: Style, {columns, symbols, isLinear}: DrawContext): string {
  if (isLinear) return style(words);
  if (words === '') return style(symbols.rule.repeat(columns));
  const text = truncate(words, Math.max(0, columns - 4));
  const head = `${symbols.rule} ${text} `;
  return style(truncate(head + symbols.rule.repeat(Math.max(0, columns - width(head))), columns));
}

/** Draws a horizontal rule with text, and a second text at its right end, if both fit. */
export function drawHeading(
  {words, aside}: {readonly words: string; readonly aside: string},
  style: Style,
  draw: DrawContext,
): string {
  const {columns, symbols, paint} = draw;
  const free = columns - width(words) - width(aside) - ROUND_HEADING;
  if (aside === '' || free < 0) return drawRule(words, style, draw);
  const left = style(`${symbols.rule} ${words} ${symbols.rule.repeat(free + 1)}`);
  return `${left} ${paint.dim(aside)} ${style(symbols.rule)}`;
}

/** Columns of a heading without text. */
const ROUND_HEADING = 7;

/** How much is drawn: the important lines, or everything (in a viewer). */
export type CardExtent = 'folded' | 'whole';

/** How much is drawn, also before an approval: `exact` is everything, as an exact reading. */
export type DrawExtent = CardExtent | 'exact';

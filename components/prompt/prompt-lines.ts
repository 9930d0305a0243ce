import type {Draft} from '../../src/app/editor/draft.ts';
import {isEmpty} from '../../src/app/editor/draft.ts';
import {rowPieces, type Layout, type Piece, type Viewport} from '../../src/app/editor/layout.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';

/** Width, paint and symbols of the prompt. */
export interface PromptStyle {
  readonly columns: number;
  readonly paint: {
    readonly dim: (text: string) => string;
    readonly line: (text: string) => string;
    readonly accent: (text: string) => string;
    readonly selected: (text: string) => string;
  };
  readonly symbols: {readonly rule: string; readonly dot: string; readonly ellipsis: string};
}

interface RuleView {
  readonly layout: Layout;
  readonly viewport: Viewport;
  /** True where what is typed goes to the user's own shell: that must be seen before Enter. */
  readonly isShell: boolean;
}

/** Draws the line above the draft, with its destination if that is not the agent, and the number of rows out of view. */
export function ruleLine({layout, viewport: {top, height}, isShell}: RuleView, look: PromptStyle): string {
  const below = layout.rows.length - top - height;
  const said = [isShell ? 'your shell' : '', top > 0 ? `${top} above` : '', below > 0 ? `${below} below` : '']
    .filter(Boolean)
    .join(', ');
  const {rule} = look.symbols;
  const start = said === '' ? '' : truncate(`${rule.repeat(2)} ${said} `, look.columns);
  const line = start + rule.repeat(look.columns - start.length);
  return isShell ? look.paint.accent(line) : look.paint.line(line);
}

interface DraftView {
  readonly layout: Layout;
  readonly viewport: Viewport;
  readonly placeholder: string;
  readonly expected?: string | undefined;
}

/** With fewer columns after the text, the argument hint is omitted. */
const MIN_EXPECTED = 4;

/**
 * The rows of a draft that are in view. Nothing stands beside the text, so that copying with the mouse gives just the
 * text; an empty draft shows what could be typed, and a command what is expected behind it.
 */
export function draftLines(
  draft: Draft,
  {layout, viewport, placeholder, expected = ''}: DraftView,
  look: PromptStyle,
): string[] {
  if (isEmpty(draft)) return [look.paint.dim(truncate(placeholder, look.columns))];
  const lines = layout.rows.slice(viewport.top, viewport.top + viewport.height).map((row) =>
    rowPieces(draft, row, layout.columns)
      .map((chunk) => drawPiece(chunk, look))
      .join(''),
  );
  const last = lines.at(-1) ?? '';
  const room = look.columns - width(last);
  if (expected === '' || room < MIN_EXPECTED) return lines;
  return [...lines.slice(0, -1), last + look.paint.dim(truncate(sanitizeLine(expected), room))];
}

function drawPiece({kind, text, isSelected}: Piece, {paint}: PromptStyle): string {
  if (isSelected) return paint.selected(text);
  return kind === 'placeholder' ? paint.accent(text) : text;
}

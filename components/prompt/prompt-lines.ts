import {type Draft, isEmpty} from '../../src/app/editor/draft.ts';
import {rowPieces, type DraftLayout, type RowPiece, type Viewport} from '../../src/app/editor/layout.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {edgeRow, rowBetweenSides, hasBox} from '../layout/box.ts';
import type {Theme} from '../theme/theme.tsx';
import {hiddenRows} from '../requests/question.tsx';

/** What determines the color of the prompt. */
export interface PromptState {
  /** The agent, whose color the prompt has. */
  readonly agent: string;
  /** True for a shell command: that must be visible before Enter. */
  readonly isShell: boolean;
  /** True while the prompt has the focus. */
  readonly isFocused: boolean;
}

/** Returns the style of the prompt's frame: in the agent's color while focused. */
export function promptStyle({agent, isShell, isFocused}: PromptState, {paint}: Theme): Style {
  if (isShell) return paint.accent;
  return isFocused ? (text) => paint.agent(agent, text) : paint.line;
}

interface RuleView {
  readonly layout: DraftLayout;
  readonly viewport: Viewport;
  readonly isShell: boolean;
  readonly style: Style;
}

/** Returns the line above the draft, with its destination if that is not the agent, and the number of hidden rows. */
export function ruleLine({layout, viewport: {top, height}, isShell, style}: RuleView, look: Theme): string {
  const below = layout.rows.length - top - height;
  const label = [isShell ? 'your shell' : '', hiddenRows(top, below)].filter(Boolean).join(', ');
  if (hasBox(look)) return edgeRow({side: 'top', color: style, left: label && style(label)}, look);
  const {rule} = look.symbols;
  const start = label === '' ? '' : truncate(`${rule.repeat(2)} ${label} `, look.columns);
  return style(start + rule.repeat(look.columns - start.length));
}

/** Returns the rows of the draft with the sides of the prompt's box, if it has one. */
export function boxedDraft(lines: readonly string[], style: Style, look: Theme): string[] {
  if (!hasBox(look)) return lines.map((line) => (line === '' ? ' ' : line));
  return lines.map((line, index) =>
    rowBetweenSides(`${index === 0 ? style(look.symbols.selected) : ' '} ${line}`, style, look),
  );
}

interface DraftView {
  readonly layout: DraftLayout;
  readonly viewport: Viewport;
  readonly placeholder: string;
  readonly expected?: string | undefined;
}

/** Minimum columns after the text for the argument hint. */
const MIN_EXPECTED = 4;

/** Returns the visible rows of a draft; an empty draft shows the placeholder, and a command its argument hint. */
export function draftLines(
  draft: Draft,
  {layout, viewport, placeholder, expected = ''}: DraftView,
  look: Theme,
): string[] {
  if (isEmpty(draft)) return [look.paint.dim(truncate(placeholder, layout.columns))];
  const lines = layout.rows.slice(viewport.top, viewport.top + viewport.height).map((row) =>
    rowPieces(draft, row, layout.columns)
      .map((chunk) => styledPiece(chunk, look))
      .join(''),
  );
  const last = lines.at(-1) ?? '';
  const room = layout.columns - width(last);
  if (expected === '' || room < MIN_EXPECTED) return lines;
  return [...lines.slice(0, -1), last + look.paint.dim(truncate(sanitizeLine(expected), room))];
}

function styledPiece({kind, text, isSelected}: RowPiece, {paint}: Theme): string {
  if (isSelected) return paint.selected(text);
  return kind === 'placeholder' ? paint.accent(text) : text;
}

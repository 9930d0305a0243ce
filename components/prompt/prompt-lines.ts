import type {Draft} from '../../src/app/prompt/draft.ts';
import {isEmpty} from '../../src/app/prompt/draft.ts';
import {rowPieces, type Layout} from '../../src/app/prompt/layout.ts';
import type {Viewport} from '../../src/app/prompt/viewport.ts';
import {truncate} from '../../src/text/truncate.ts';

/** What the prompt needs of how the screen is drawn. */
export interface PromptLook {
  readonly columns: number;
  readonly paint: {
    readonly dim: (text: string) => string;
    readonly accent: (text: string) => string;
  };
  readonly signs: {readonly rule: string; readonly dot: string; readonly ellipsis: string};
}

/** The line above the draft; it counts the rows that are scrolled out of view. */
export function ruleLine(layout: Layout, {top, height}: Viewport, look: PromptLook): string {
  const below = layout.rows.length - top - height;
  const hidden = [top > 0 ? `${top} above` : '', below > 0 ? `${below} below` : '']
    .filter(Boolean)
    .join(', ');
  const {rule} = look.signs;
  const start = hidden === '' ? '' : truncate(`${rule.repeat(2)} ${hidden} `, look.columns);
  return look.paint.dim(start + rule.repeat(look.columns - start.length));
}

/**
 * The rows of a draft that are in view. Nothing stands beside the text, so that copying with the mouse gives just the
 * text; an empty draft shows what could be typed.
 */
export function draftLines(
  draft: Draft,
  {layout, viewport, placeholder}: {layout: Layout; viewport: Viewport; placeholder: string},
  look: PromptLook,
): string[] {
  if (isEmpty(draft)) return [look.paint.dim(truncate(placeholder, look.columns))];
  return layout.rows.slice(viewport.top, viewport.top + viewport.height).map((row) =>
    rowPieces(draft, row, layout.columns)
      .map((piece) => (piece.kind === 'placeholder' ? look.paint.accent(piece.text) : piece.text))
      .join(''),
  );
}

import type {Draft} from './draft.ts';
import {layoutDraft, type Layout} from './layout.ts';

/** The size of the whole screen, in cells. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Which rows of a draft are shown. */
export interface Viewport {
  readonly top: number;
  readonly height: number;
}

/** Below this many rows the line above the prompt is left out. */
const ROWS_FOR_RULE = 8;

/** Whether there is room for a line above the prompt. */
export function hasRule(screen: ScreenSize): boolean {
  return screen.rows >= ROWS_FOR_RULE;
}

/** How many rows the prompt takes, the line above it included: it grows to a third of the screen. */
export function promptHeight(draft: Draft, screen: ScreenSize): number {
  const {height} = viewportOf(layoutDraft(draft, screen.columns), screen, 0);
  return height + (hasRule(screen) ? 1 : 0);
}

/** Scrolls as little as it takes to keep the caret in view; `top` is the first row that was shown before. */
export function viewportOf(layout: Layout, screen: ScreenSize, top: number): Viewport {
  const height = Math.min(layout.rows.length, Math.max(1, Math.floor(screen.rows / 3)));
  const {row} = layout.caret;
  const near = Math.min(Math.max(top, row - height + 1), row);
  return {top: Math.max(0, Math.min(near, layout.rows.length - height)), height};
}

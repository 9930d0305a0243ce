import {wrap} from '../wrap.ts';
import type {Block} from './block.ts';
import type {MarkdownStyle} from './style.ts';

export interface RenderOptions {
  /** Lines are never wider. */
  readonly columns: number;
  readonly style: MarkdownStyle;
  /** Whether code is highlighted (for finished blocks only: it is the dearest part). */
  readonly highlight: boolean;
}

/** Loads the markdown renderer; until then `renderBlockNow` shows the source. Never rejects twice differently. */
export async function loadMarkdown(): Promise<void> {}

/** A block as lines, without the blank line before it. */
export function renderBlockNow(block: Block, options: RenderOptions): string[] {
  return wrap(block.source.replace(/^\s*\n|\s+$/g, ''), options.columns);
}

/** True when code in this language would be highlighted now, or never will be. */
export function highlightReady(_language: string): boolean {
  return true;
}

/** Loads the grammar of a language, by its name on the fence; unknown ones are fine. */
export async function loadHighlight(_language: string): Promise<void> {}

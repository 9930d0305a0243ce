import type {Block, RenderOptions} from './style.ts';
import {plainLines} from './plain.ts';
import type * as render from './render.ts';

type Renderer = typeof render;

let renderer: Renderer | undefined;
let loading: Promise<Renderer> | undefined;

/** Loads the markdown renderer, which is too heavy for the way to the first paint. Once; rejects if it cannot load. */
export async function loadMarkdown(): Promise<void> {
  loading ??= import('./render.ts');
  renderer = await loading;
}

/** A block as lines, without a blank line before it; the source, wrapped, until the renderer is loaded. */
export function renderBlockNow(block: Block, options: RenderOptions): string[] {
  return renderer ? renderer.renderBlock(block, options) : plainLines(block, options.columns);
}

/** True if code in this language (`Block.languages`) is highlighted now, or never will be. */
export function highlightReady(language: string): boolean {
  if (language === '') return true;
  return renderer?.highlightReady(language) ?? false;
}

/** Code as pieces, line by line; undefined until the renderer and the grammar are loaded. */
export function codePiecesNow(
  ...args: Parameters<Renderer['codePieces']>
): ReturnType<Renderer['codePieces']> {
  return renderer?.codePieces(...args);
}

/** Loads the renderer and the grammar of a language; resolves for unknown languages too. */
export async function loadHighlight(language: string): Promise<void> {
  await loadMarkdown();
  await renderer?.loadHighlight(language);
}

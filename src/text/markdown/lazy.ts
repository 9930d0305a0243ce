import type {Block, RenderOptions} from './style.ts';
import {plainLines} from './plain.ts';
import type * as render from './render.ts';

type Renderer = typeof render;

let renderer: Renderer | undefined;
let loading: Promise<Renderer> | undefined;

/** Loads the Markdown renderer, which is too large to load before the first paint. Once; rejects if loading fails. */
export async function loadMarkdown(): Promise<void> {
  loading ??= import('./render.ts');
  renderer = await loading;
}

/** Returns a block as lines, without a preceding blank line; as wrapped source until the renderer is loaded. */
export function renderBlockNow(block: Block, options: RenderOptions): string[] {
  return renderer ? renderer.renderBlock(block, options) : plainLines(block, options.columns);
}

/** True if the grammar (`Block.languages`) is loaded, or will never be. */
export function highlightReady(language: string): boolean {
  if (language === '') return true;
  return renderer?.highlightReady(language) ?? false;
}

/** Returns code as tokens, line by line; undefined until renderer and grammar are loaded. */
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

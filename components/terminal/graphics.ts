import type {ScreenSize} from '../../src/app/editor/layout.ts';
import type {Graphics} from '../../src/app/state.ts';

/** The query for the terminal's name and version (XTVERSION). A multiplexer answers with its own, and has no pictures then. */
export const ASK_FOR_NAME = '\x1b[>q';

const NAME = /^\x1bP>\|([\w.-]+)[ (]?([\d.]*)/;

/** Asks whether a picture of one pixel could be shown; only for terminals that know the protocol, since others may print it. */
const ASK_FOR_KITTY_GRAPHICS = '\x1b_Gi=1,a=q,s=1,v=1,f=24;AAAA\x1b\\';
/** Asks for the size of a cell in pixels (XTWINOPS); only for terminals with sixel graphics. */
const ASK_FOR_CELL = '\x1b[16t';
const CELL = /^\x1b\[6;(\d+);(\d+)t$/;
/** Asks xterm for the size of its sixel graphics, which is that of all cells; it answers with an error if it has none (XTSMGRAPHICS). */
const ASK_FOR_SIXELS = '\x1b[?2;1;0S';
const SIXELS = /^\x1b\[\?2;0;(\d+);(\d+)S$/;
const KITTY_GRAPHICS = /^\x1b_Gi=1;OK\x1b\\$/;

/** Returns the graphics protocol that a report of the terminal names, or how to ask for it; undefined for any other report. */
export function graphicsIn(
  report: string,
  {columns, rows}: ScreenSize,
): {readonly found: Graphics} | {readonly ask: string} | undefined {
  if (KITTY_GRAPHICS.test(report)) return {found: 'kitty'};
  const [, cellHeight, cellWidth] = CELL.exec(report) ?? [];
  if (cellHeight !== undefined) return sixels(Number(cellWidth), Number(cellHeight));
  const [, width, height] = SIXELS.exec(report) ?? [];
  if (width !== undefined)
    return sixels(Math.floor(Number(width) / columns), Math.floor(Number(height) / rows));
  const [, name = '', version = ''] = NAME.exec(report) ?? [];
  switch (name.toLowerCase()) {
    case 'kitty':
      return isKittyNew(version) ? {ask: ASK_FOR_KITTY_GRAPHICS} : undefined;
    case 'ghostty':
      return {ask: ASK_FOR_KITTY_GRAPHICS};
    case 'iterm2':
    case 'wezterm':
      return {found: 'iterm2'};
    case 'foot':
      return {ask: ASK_FOR_CELL};
    case 'xterm':
      return {ask: ASK_FOR_SIXELS};
    default:
      return undefined;
  }
}

/** A cell of another size is an error. */
const MAX_CELL = 100;

function sixels(width: number, height: number): {readonly found: Graphics} | undefined {
  const isSensible = Math.min(width, height) > 0 && Math.max(width, height) <= MAX_CELL;
  return isSensible ? {found: {cell: {width, height}}} : undefined;
}

/** Placeholders for pictures came with kitty 0.28. */
function isKittyNew(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 0 || minor >= 28;
}

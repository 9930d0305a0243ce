import type {Graphics} from '../../src/app/state.ts';

/** The query for the terminal's name and version (XTVERSION). A multiplexer answers with its own, and has no pictures then. */
export const ASK_FOR_NAME = '\x1b[>q';

const NAME = /^\x1bP>\|([\w.-]+)[ (]?([\d.]*)/;

/** Asks whether a picture of one pixel could be shown; only for terminals that know the protocol, since others may print it. */
const ASK_FOR_KITTY_GRAPHICS = '\x1b_Gi=1,a=q,s=1,v=1,f=24;AAAA\x1b\\';
const KITTY_GRAPHICS = /^\x1b_Gi=1;OK\x1b\\$/;

/** Returns the graphics protocol that a report of the terminal names, or how to ask for it; undefined for any other report. */
export function graphicsIn(report: string): {readonly found: Graphics} | {readonly ask: string} | undefined {
  if (KITTY_GRAPHICS.test(report)) return {found: 'kitty'};
  const [, name = '', version = ''] = NAME.exec(report) ?? [];
  switch (name.toLowerCase()) {
    case 'kitty':
      return isKittyNew(version) ? {ask: ASK_FOR_KITTY_GRAPHICS} : undefined;
    case 'ghostty':
      return {ask: ASK_FOR_KITTY_GRAPHICS};
    case 'iterm2':
    case 'wezterm':
      return {found: 'iterm2'};
    default:
      return undefined;
  }
}

/** Placeholders for pictures came with kitty 0.28. */
function isKittyNew(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 0 || minor >= 28;
}

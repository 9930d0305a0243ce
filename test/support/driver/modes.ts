import type xterm from '@xterm/headless';

/** The terminal modes that a program has set and must reset before it exits. */
export interface Modes {
  readonly bracketedPaste: boolean;
  readonly focusReports: boolean;
  readonly mouse: boolean;
  readonly alternateScreen: boolean;
  readonly hiddenCursor: boolean;
  /** True while drawing is held back until a frame is complete. */
  readonly synchronized: boolean;
  /** How many times the kitty keyboard was pushed and not popped. */
  readonly kittyLevels: number;
  /** How many times the title was saved and not restored. */
  readonly savedTitles: number;
}

export const untouched: Modes = {
  bracketedPaste: false,
  focusReports: false,
  mouse: false,
  alternateScreen: false,
  hiddenCursor: false,
  synchronized: false,
  kittyLevels: 0,
  savedTitles: 0,
};

export interface Keyboard {
  /** True for a terminal that supports the kitty keyboard protocol. */
  readonly kitty: boolean;
  /** Sends the terminal's responses to the program. */
  readonly answer: (data: string) => void;
}

/** Tracks terminal modes; the emulator itself reports only some of them. */
export function watchModes(terminal: xterm.Terminal, {kitty, answer}: Keyboard): () => Modes {
  let hiddenCursor = false;
  let kittyLevels = 0;
  let savedTitles = 0;
  const on = (id: xterm.IFunctionIdentifier, follow: (first: number) => void) =>
    terminal.parser.registerCsiHandler(id, ([first = 0]) => {
      follow(Number(first));
      return false;
    });
  on({prefix: '?', final: 'h'}, (mode) => mode === 25 && (hiddenCursor = false));
  on({prefix: '?', final: 'l'}, (mode) => mode === 25 && (hiddenCursor = true));
  on({final: 't'}, (operation) => {
    if (operation === 22) savedTitles++;
    if (operation === 23) savedTitles--;
  });
  if (kitty) {
    on({prefix: '?', final: 'u'}, () => answer('\x1b[?0u'));
    on({prefix: '>', final: 'u'}, () => kittyLevels++);
    on({prefix: '<', final: 'u'}, (levels) => (kittyLevels -= levels || 1));
  }
  return () => ({
    bracketedPaste: terminal.modes.bracketedPasteMode,
    focusReports: terminal.modes.sendFocusMode,
    mouse: terminal.modes.mouseTrackingMode !== 'none',
    alternateScreen: terminal.buffer.active.type === 'alternate',
    hiddenCursor,
    synchronized: terminal.modes.synchronizedOutputMode,
    kittyLevels,
    savedTitles,
  });
}

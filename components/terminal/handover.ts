interface HandoverOptions {
  /** Leaves the terminal in a clean state. */
  readonly before: () => void;
  /** Stops keyboard input and drawing while the work runs. */
  readonly suspend: (work: () => Promise<void>) => Promise<void> | undefined;
  /** Redraws the frame. */
  readonly after: () => void;
}

/** Tracks what uses the terminal. */
export function createHandover({before, suspend, after}: HandoverOptions) {
  let away: Promise<void> | undefined;
  return {
    /** Lends the terminal while the work runs; ignored while something else uses it. */
    lendTerminal: async (work: () => Promise<void>) => {
      if (away) return;
      const {promise, resolve} = Promise.withResolvers<void>();
      away = promise;
      before();
      try {
        await suspend(work);
      } finally {
        away = undefined;
        resolve();
        after();
      }
    },
    isAway: () => away !== undefined,
    /** Resolves when the terminal is returned. */
    back: async () => away,
  };
}

/**
 * Resets modes that a program may have left set: mouse and focus reports, bracketed paste, a hidden cursor, application keypad, colors, line drawing, and
 * synchronized output.
 */
export const TERMINAL_MODES =
  '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1l\x1b>\x1b[?7h\x1b[4l\x1b[0m\x1b(B\x0f\x1b[?2026l';

/**
 * Resets the kitty keyboard protocol, the alternate screen and the scroll region, and moves below everything: the previous cursor position is lost with the
 * program.
 */
const ORDINARY_SCREEN = '\x1b[=0;1u\x1b[?1047l\x1b[r\x1b[999;1H';

/** Returns the sequence that restores the terminal after a program: one that `ended`, or one that was killed. */
export function restoreTerminal(how: 'ended' | 'cut_off'): string {
  return `${TERMINAL_MODES}${how === 'cut_off' ? ORDINARY_SCREEN : ''}\r\n`;
}

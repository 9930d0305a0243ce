interface HandoverOptions {
  /** Leaves the terminal in order. */
  readonly before: () => void;
  /** Takes the keyboard and the frame away while the work runs. */
  readonly suspend: (work: () => Promise<void>) => Promise<void> | undefined;
  /** Draws the frame again. */
  readonly after: () => void;
}

/** Who has the terminal. */
interface Handover {
  /** Gives the terminal away while the work runs; does nothing where something else has it. */
  readonly giveAway: (work: () => Promise<void>) => Promise<void>;
  readonly isAway: () => boolean;
  /** Resolves when the terminal is given back. */
  readonly back: () => Promise<void>;
}

export function createHandover({before, suspend, after}: HandoverOptions): Handover {
  let away: Promise<void> | undefined;
  return {
    async giveAway(work) {
      if (away) return;
      const {promise, resolve} = Promise.withResolvers<void>();
      away = promise;
      before();
      await suspend(work);
      away = undefined;
      resolve();
      after();
    },
    isAway: () => away !== undefined,
    back: async () => away,
  };
}

/**
 * What a program may have asked of the terminal and not taken back: reports of the mouse and of the focus, bracketed paste, a
 * hidden cursor, the keypad's own keys, colors, line drawing, and synchronized output.
 */
export const TERMINAL_MODES =
  '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?25h\x1b[?1l\x1b>\x1b[?7h\x1b[4l\x1b[0m\x1b(B\x0f\x1b[?2026l';

/**
 * Leaves keys of the kitty keyboard, the alternate screen and the scroll region, and goes on below everything: where the cursor
 * stood on the ordinary screen only the program knew that is gone.
 */
const ORDINARY_SCREEN = '\x1b[=0;1u\x1b[?1047l\x1b[r\x1b[999;1H';

/** Makes the terminal usable again after a program had it: one that has `ended`, or one that had no time to tidy up. */
export function restoreTerminal(how: 'ended' | 'cut_off'): string {
  return `${TERMINAL_MODES}${how === 'cut_off' ? ORDINARY_SCREEN : ''}\r\n`;
}

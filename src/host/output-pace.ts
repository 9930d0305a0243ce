/** How often a reader hears of output, at most. */
const PER_SECOND = 30;
/** The largest piece that is handed on, in UTF-16 units; of more, the end is what counts. */
export const LARGEST_PIECE = 96 * 1024;
/** What is taken from a command between two pieces; past that it waits, in UTF-16 units. */
const BUDGET = 2 * 1024 * 1024;

export interface Pace {
  push(text: string): void;
  /** Hands on what waits, at once. */
  flush(): void;
}

/**
 * Stands between a command that prints as fast as it can and those who follow it: many small pieces become few, and
 * `pause` and `resume` hold the command back.
 */
export function createPace(options: {
  readonly deliver: (text: string) => void;
  readonly pause: () => void;
  readonly resume: () => void;
}): Pace {
  let waiting = '';
  let taken = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function deliver(): void {
    const text = waiting;
    waiting = '';
    if (text !== '') options.deliver(text);
  }

  function tick(): void {
    timer = undefined;
    if (taken >= BUDGET) options.resume();
    const idle = taken === 0;
    taken = 0;
    deliver();
    if (!idle) timer = setTimeout(tick, 1000 / PER_SECOND);
  }

  return {
    push(text) {
      waiting = lastUnits(waiting + text);
      const before = taken;
      taken += text.length;
      if (before < BUDGET && taken >= BUDGET) options.pause();
      if (timer !== undefined) return;
      // Nothing came for a while: the first piece is handed on at once.
      deliver();
      timer = setTimeout(tick, 1000 / PER_SECOND);
    },
    flush: deliver,
  };
}

function lastUnits(text: string): string {
  if (text.length <= LARGEST_PIECE) return text;
  const start = text.length - LARGEST_PIECE;
  // Not from the middle of a surrogate pair.
  return text.slice(/^[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start);
}

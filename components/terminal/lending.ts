export interface LendingOptions {
  /** Leaves the terminal in order. */
  readonly before: () => void;
  /** Takes the keyboard and the frame away while the work runs. */
  readonly suspend: (work: () => Promise<void>) => Promise<void> | undefined;
  /** Draws the frame again. */
  readonly after: () => void;
}

/** Who has the terminal. */
export interface Lending {
  /** Gives the terminal away while the work runs; does nothing where something else has it. */
  readonly giveAway: (work: () => Promise<void>) => Promise<void>;
  readonly isAway: () => boolean;
  /** Resolves when the terminal is given back. */
  readonly back: () => Promise<void>;
}

export function createLending({before, suspend, after}: LendingOptions): Lending {
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

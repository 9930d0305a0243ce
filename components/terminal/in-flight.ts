/** How long output may be under way, in milliseconds, if the terminal's last answer did not take longer. */
const UNDER_WAY = 300;

/** The lines printed above the frame that may not have reached the terminal yet when it is resized, which then draws them for another width. */
export function createInFlight() {
  let writes: readonly {readonly lines: number}[] = [];
  let underWay = UNDER_WAY;
  return {
    add: (lines: number) => {
      const write = {lines};
      writes = [...writes, write];
      const forget = () => (writes = writes.filter((other) => other !== write));
      // Not by the clock: a resize while this process is busy or stopped is reported late, but before this immediate.
      setTimeout(() => setImmediate(forget), underWay).unref();
    },
    /** The terminal took so long for its last answer, in milliseconds: on a busy machine it is that far behind. */
    answered: (milliseconds: number) => {
      underWay = Math.max(UNDER_WAY, milliseconds);
    },
    /** The terminal has processed everything so far. */
    arrived: () => (writes = []),
    /** Returns their number; call it when a resize is reported. */
    lines: () => writes.reduce((sum, {lines}) => sum + lines, 0),
  };
}

/** What wants a place below the transcript, in rows; 0 for what is not there. */
export interface Wishes {
  /** Rows of the terminal. */
  readonly screen: number;
  readonly prompt: number;
  readonly queue: number;
  readonly plan: number;
  /** A list, a page or a request over the prompt: as much as it would like. */
  readonly panel: number;
  /** A line of feedback near the prompt. */
  readonly hint: number;
  /** The line that says what is being done. */
  readonly working: number;
}

/** What each part gets. */
export interface Shares extends Omit<Wishes, 'screen'> {
  readonly status: number;
  /** What is left for the live end of the transcript. */
  readonly live: number;
}

/** A panel leaves so many rows of the screen to everything else. */
const ROWS_BESIDE_PANEL = 6;
/** A panel in fewer rows cannot be used. */
const LEAST_PANEL = 2;
/** The transcript keeps so many rows before less important parts get any. */
const LEAST_LIVE = 3;
const MOST_PLAN = 8;

/**
 * Shares the rows of the screen. One row stays free: a frame as tall as the screen would have to be cleared each time.
 * The prompt comes first, then the panel, then what is happening, then the status line, then the rest.
 */
export function shareRows(wishes: Wishes): Shares {
  let left = Math.max(1, wishes.screen - 1);
  const take = (wish: number, keep = 0) => {
    const given = Math.max(0, Math.min(wish, left - keep));
    left -= given;
    return given;
  };
  const isPanel = wishes.panel > 0;
  const prompt = take(wishes.prompt, isPanel ? LEAST_PANEL : 0);
  const status = take(1, isPanel ? LEAST_PANEL : 0);
  const most = Math.max(LEAST_PANEL, wishes.screen - ROWS_BESIDE_PANEL);
  const panel = isPanel ? take(Math.min(wishes.panel, most)) : 0;
  const keep = isPanel ? 0 : LEAST_LIVE;
  const hint = take(wishes.hint);
  const working = take(wishes.working, isPanel ? 0 : 1);
  const queue = whole(wishes.queue, left - keep);
  left -= queue;
  const plan = take(Math.min(wishes.plan, MOST_PLAN, Math.floor(wishes.screen / 4)), keep);
  return {prompt, status, panel, hint, working, queue, plan, live: left};
}

/** A part that is of use only as a whole. */
function whole(wish: number, room: number): number {
  return wish <= room ? wish : 0;
}

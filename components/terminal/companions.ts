import {attention, terminalTitle} from '../../src/app/attention.ts';
import type {AppState} from '../../src/app/state.ts';
import type {Readable} from '../use-store.ts';
import {popTitle, pushTitle, setTitle} from './title.ts';

/** What goes with the frame: the terminal's title, and a sound for who looks elsewhere. */
export interface Companions {
  /** Takes the title. */
  readonly enter: () => void;
  /** Gives it back. */
  readonly leave: () => void;
  /** Hears what the terminal says by itself. */
  readonly hear: (sequence: string) => void;
}

const BELL = '\x07';

/** Asks the terminal to tell when its window gets and loses the focus, and not to tell any more. */
const REPORT_FOCUS = '\x1b[?1004h';
const IGNORE_FOCUS = '\x1b[?1004l';
const FOCUSED = '\x1b[I';
const UNFOCUSED = '\x1b[O';

export function createCompanions(store: Readable<AppState>, write: (data: string) => void): Companions {
  let stop: (() => void) | undefined;
  let seen = store.getSnapshot();
  let title = '';
  /** Until the terminal says that it has the focus, the user may be elsewhere. */
  let isElsewhere = true;

  function follow(): void {
    const state = store.getSnapshot();
    if (isElsewhere && attention(seen, state) !== undefined) write(BELL);
    seen = state;
    const next = setTitle(terminalTitle(state));
    if (next !== title) write(next);
    title = next;
  }

  return {
    enter() {
      if (stop !== undefined) return;
      write(pushTitle + REPORT_FOCUS);
      title = '';
      stop = store.subscribe(follow);
      follow();
    },
    leave() {
      if (stop === undefined) return;
      stop();
      stop = undefined;
      write(IGNORE_FOCUS + popTitle);
    },
    hear(sequence) {
      if (sequence === FOCUSED) isElsewhere = false;
      if (sequence === UNFOCUSED) isElsewhere = true;
    },
  };
}

import type {AppState} from '../../src/app/state.ts';
import type {Readable} from '../use-store.ts';
import {bell, ignoreFocus, isWorthABell, reportFocus} from './attention.ts';
import {popTitle, pushTitle, setTitle, titleOf} from './title.ts';

/** What goes with the frame: the terminal's title, and a sound for who looks elsewhere. */
export interface Companions {
  /** Takes the title. */
  readonly enter: () => void;
  /** Gives it back. */
  readonly leave: () => void;
  /** Hears what the terminal says by itself. */
  readonly hear: (sequence: string) => void;
}

export function createCompanions(store: Readable<AppState>, write: (data: string) => void): Companions {
  let stop: (() => void) | undefined;
  let seen = store.getSnapshot();
  let title = '';
  /** Until the terminal says that it has the focus, the user may be elsewhere. */
  let isElsewhere = true;

  function follow(): void {
    const state = store.getSnapshot();
    if (isElsewhere && isWorthABell(seen, state)) write(bell);
    seen = state;
    const next = titleOf(state);
    if (next !== title) write(setTitle(next));
    title = next;
  }

  return {
    enter() {
      if (stop !== undefined) return;
      write(pushTitle + reportFocus);
      title = '';
      stop = store.subscribe(follow);
      follow();
    },
    leave() {
      if (stop === undefined) return;
      stop();
      stop = undefined;
      write(ignoreFocus + popTitle);
    },
    hear(sequence) {
      if (sequence === '\x1b[I') isElsewhere = false;
      if (sequence === '\x1b[O') isElsewhere = true;
    },
  };
}

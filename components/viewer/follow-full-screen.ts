import type {AppEvent} from '../../src/app/events.ts';
import type {AppState} from '../../src/app/state.ts';
import type {Store} from '../../src/shared/store.ts';
import type {FullScreen} from './full-screen.tsx';

interface FollowOptions {
  readonly store: Store<AppState, AppEvent>;
  /** True while the state asks for it. */
  readonly isWanted: (state: AppState) => boolean;
  readonly open: () => FullScreen;
  /** Gives the terminal to `work` until that is done, as soon as nothing else has it. */
  readonly giveAway: (work: () => Promise<void>) => Promise<void>;
}

export interface FollowedScreen {
  /** The full screen while it is open. */
  readonly current: () => FullScreen | undefined;
  /** Closes it for good; resolves when the terminal is given back. */
  readonly leave: () => Promise<void>;
}

/** Opens the full screen over the inline one, for as long as the state asks for it. */
export function followFullScreen({store, isWanted, open, giveAway}: FollowOptions): FollowedScreen {
  let current: FullScreen | undefined;
  let given: Promise<void> | undefined;
  let isLeaving = false;
  let closing: (() => void) | undefined;
  const isOpen = () => !isLeaving && isWanted(store.getSnapshot());

  async function show(): Promise<void> {
    if (!isOpen()) return;
    const closed = new Promise<void>((resolve) => (closing = resolve));
    current = open();
    await closed;
    closing = undefined;
    await current.close();
    current = undefined;
  }

  function follow(): void {
    if (!isOpen()) return closing?.();
    // What is drawn first reports to the store, which comes back here.
    given ??= Promise.resolve()
      .then(() => giveAway(show))
      .then(() => {
        given = undefined;
        follow();
      });
  }

  const stopFollowing = store.subscribe(follow);
  follow();
  return {
    current: () => current,
    async leave() {
      stopFollowing();
      isLeaving = true;
      follow();
      await given;
    },
  };
}

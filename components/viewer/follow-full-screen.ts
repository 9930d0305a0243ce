import type {AppEvent} from '../../src/app/events.ts';
import type {AppState} from '../../src/app/state.ts';
import type {Store} from '../../src/shared/store.ts';
import type {FullScreen} from './full-screen.tsx';

interface FollowOptions {
  readonly store: Store<AppState, AppEvent>;
  /** True while the state asks for it. */
  readonly isWanted: (state: AppState) => boolean;
  readonly open: () => FullScreen;
  /** Lends the terminal to `work`, as soon as nothing else uses it. */
  readonly lendTerminal: (work: () => Promise<void>) => Promise<void>;
}

export type FollowedScreen = ReturnType<typeof followFullScreen>;

/** Opens the full screen over the inline one while the state asks for it. */
export function followFullScreen({store, isWanted, open, lendTerminal}: FollowOptions) {
  let current: FullScreen | undefined;
  let handover: Promise<void> | undefined;
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
    // The first drawing reports to the store, which calls this function again.
    handover ??= Promise.resolve()
      .then(() => lendTerminal(show))
      .then(() => {
        handover = undefined;
        follow();
      });
  }

  const stopFollowing = store.subscribe(follow);
  follow();
  return {
    /** The open full screen, if any. */
    current: () => current,
    /** Closes it permanently; resolves when the terminal is returned. */
    leave: async () => {
      stopFollowing();
      isLeaving = true;
      follow();
      await handover;
    },
  };
}

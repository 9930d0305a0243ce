import type {AppEvent} from '../../src/app/events.ts';
import type {AppState, Overlay} from '../../src/app/state.ts';
import type {Store} from '../../src/shared/store.ts';
import type {FullScreen} from './viewer.tsx';

interface FollowOptions {
  readonly store: Store<AppState, AppEvent>;
  /** The overlays that have a screen of their own. */
  readonly screens: readonly Overlay['kind'][];
  readonly open: () => FullScreen;
  /** Gives the terminal to `work` until that is done. */
  readonly giveAway: (work: () => Promise<void>) => Promise<void>;
}

interface TranscriptScreen {
  /** The screen while it is open. */
  readonly current: () => FullScreen | undefined;
  /** Closes it for good; resolves when the terminal is given back. */
  readonly leave: () => Promise<void>;
}

/** Shows the transcript on a screen of its own for as long as the state has it open. */
export function followTranscript({store, screens, open, giveAway}: FollowOptions): TranscriptScreen {
  let current: FullScreen | undefined;
  let given: Promise<void> | undefined;
  const isWanted = () => screens.includes(store.getSnapshot().overlay.kind);

  function closed(): Promise<void> {
    return new Promise((resolve) => {
      const stop = store.subscribe(() => {
        if (isWanted()) return;
        stop();
        resolve();
      });
    });
  }

  async function show(): Promise<void> {
    current = open();
    await closed();
    await current.close();
    current = undefined;
  }

  function follow(): void {
    if (!isWanted() || given) return;
    given = giveAway(show).then(() => {
      given = undefined;
      follow();
    });
  }

  const stopFollowing = store.subscribe(follow);
  return {
    current: () => current,
    async leave() {
      stopFollowing();
      if (isWanted()) store.dispatch({type: 'overlay_closed', at: performance.now()}, 'urgent');
      await given;
    },
  };
}

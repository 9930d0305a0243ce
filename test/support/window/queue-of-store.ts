import {applyReaction, type Reaction} from '../../../src/app/effects.ts';
import type {AppEvent} from '../../../src/app/events.ts';
import type {AppState, SessionKey} from '../../../src/app/state.ts';
import type {QueueChange, SendingChange} from '../../../src/session/queue/queue-changes.ts';
import type {Store} from '../../../src/shared/store.ts';

/** The queues of a window without agents: changed as a client does. */
export function queueOf(store: Store<AppState, AppEvent>) {
  const change = (key: SessionKey, change: QueueChange | SendingChange) =>
    store.dispatch({type: 'session', key, event: {type: 'queue_changed', change, at: 1}, at: 1});
  return {
    change,
    /** Applies a reaction of the window; of its effects, only changes of queues are done. */
    take: (reaction: Reaction) =>
      applyReaction(reaction, store, (effect) => {
        if (effect.kind === 'call' && effect.action === 'changeQueue') change(effect.key, ...effect.args);
      }),
  };
}

import {showAgents} from './app/agent-picker.ts';
import type {Effect} from './app/effects.ts';
import type {AppEvent} from './app/events.ts';
import type {AppState, SessionKey} from './app/state.ts';
import type {AgentChooser} from './client/agent-chooser.ts';
import type {Store} from './store.ts';

interface FirstChoice {
  /** The session that has no agent yet; the one that is chosen gets another in its place. */
  readonly key: SessionKey;
  readonly chooser: AgentChooser;
  readonly perform: (effect: Effect) => void;
}

/** A window of somebody who never chose an agent begins with the list of them; closing it begins with the demo agent. */
export function chooseFirstAgent(
  store: Store<AppState, AppEvent>,
  {key, chooser, perform}: FirstChoice,
): void {
  // Nothing is being started.
  const event = {type: 'connection_changed', connection: {kind: 'closed'}, at: Date.now()} as const;
  store.dispatch({type: 'session', key, event, at: performance.now()});
  const {events, effects} = showAgents({isFirst: true});
  for (const event of events) store.dispatch(event, 'urgent');
  for (const effect of effects) perform(effect);
  let isWatching = true;
  let isDue = false;

  /** Only when all that a key leads to has happened. */
  function check(): void {
    isDue = false;
    const {overlay, sessions} = store.current();
    const isListed = overlay.kind === 'picker' && overlay.picker.purpose.kind === 'agents';
    if (!isWatching || isListed || chooser.isChoosing()) return;
    isWatching = false;
    stop();
    if (sessions[key]) perform({kind: 'choose_agent', id: 'demo'});
  }

  const stop = store.onEvent(() => {
    if (isDue) return;
    isDue = true;
    setImmediate(check);
  });
}

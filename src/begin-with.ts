import type {Effect} from './app/effects.ts';
import type {AppEvent} from './app/events.ts';
import {showSessions} from './app/keys/session-list-keys.ts';
import {interruptedPicker} from './app/session-picker.ts';
import {GUARD_MS} from './app/requests.ts';
import {activeSession, isQuiet} from './app/sessions.ts';
import type {AppState} from './app/state.ts';
import type {InteractiveOptions} from './cli/options.ts';
import type {SessionStore} from './persistence/sessions/session-store.ts';
import {nameOfSession} from './session/titles.ts';
import type {Store} from './store.ts';

interface Beginning {
  readonly given: InteractiveOptions;
  readonly memory: SessionStore;
  readonly perform: (effect: Effect) => void;
}

/** What a window begins with over its prompt: the list of `--resume`, or the session of this folder that was cut off. */
export function beginWith(store: Store<AppState, AppEvent>, {given, memory, perform}: Beginning): void {
  if (given.pickUp?.which === 'chosen') {
    const {events, effects} = showSessions('folder', performance.now());
    for (const event of events) store.dispatch(event, 'urgent');
    for (const effect of effects) perform(effect);
    return;
  }
  if (given.pickUp || !given.save) return;
  const {cwd} = activeSession(store.current()).session;
  const listed = memory.list({cwd, status: 'interrupted', limit: 1});
  const [interrupted] = listed.ok ? listed.value : [];
  if (!interrupted) return;
  const at = performance.now();
  const {id, updatedAt} = interrupted;
  const name = nameOfSession(interrupted);
  if (isQuiet(store.current(), at)) {
    const picker = {...interruptedPicker({id, name, ago: Date.now() - updatedAt}), answerFrom: at + GUARD_MS};
    store.dispatch({type: 'overlay_opened', overlay: {kind: 'picker', picker}}, 'urgent');
  } else {
    const text = `"${name}" was interrupted; /resume goes on with it.`;
    store.dispatch({type: 'hint_shown', text, until: at + 10_000}, 'urgent');
  }
}

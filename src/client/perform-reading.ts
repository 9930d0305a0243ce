import type {Effect} from '../app/effects.ts';
import {HINT_MS} from '../app/hint-time.ts';
import {passagePicker, readingOverlay} from '../app/passage-picker.ts';
import type {AppEvent} from '../app/events.ts';
import type {AppState, Overlay} from '../app/state.ts';
import type {Result} from '../shared/failure.ts';
import type {SessionStore} from '../storage/sessions/session-store.ts';
import {nameOfSession} from '../session/titles.ts';
import type {Store} from '../shared/store.ts';

type ReadingEffect = Extract<Effect, {kind: 'find_passages' | 'read_session'}>;

export interface ReadingPerformer {
  readonly store: Store<AppState, AppEvent>;
  readonly sessions: Pick<SessionStore, 'search' | 'state'>;
}

/** Finds what was said in stored sessions, and shows one to be read. */
export async function performReading(
  effect: ReadingEffect,
  {store, sessions}: ReadingPerformer,
): Promise<Result<unknown> | undefined> {
  const show = (overlay: Overlay) => store.dispatch({type: 'overlay_opened', overlay}, 'urgent');
  if (effect.kind === 'read_session') {
    const state = await sessions.state(effect.id);
    if (!state.ok) return state;
    show(readingOverlay(state.value, effect));
    return undefined;
  }
  const found = sessions.search(effect.query);
  if (!found.ok) return found;
  if (found.value.length === 0) {
    const text = `Nothing found for ${effect.query}.`;
    store.dispatch({type: 'hint_shown', text, until: performance.now() + HINT_MS}, 'urgent');
    return undefined;
  }
  const passages = found.value.map(({session, entry, at, snippet}) => {
    const {id, cwd} = session;
    return {session: id, name: nameOfSession(session), cwd, at, entry, snippet};
  });
  show({kind: 'picker', picker: passagePicker(effect.query, passages, Date.now())});
  return undefined;
}

import type {SessionEffect} from '../app/effects.ts';
import {HINT_MS} from '../app/hint-time.ts';
import {changesOverlay} from '../app/pages.ts';
import {GUARD_MS} from '../app/requests.ts';
import type {SessionKey} from '../app/state.ts';
import {undoPicker} from '../app/undo-picker.ts';
import type {UndoPlan} from '../session/changes.ts';
import type {Performer} from './window/performer.ts';

type ChangesEffect = Extract<SessionEffect, {kind: 'show_changes' | 'plan_undo' | 'undo'}>;

/** Shows what was changed, and takes it back. */
export async function performChanges(
  effect: ChangesEffect & {readonly key: SessionKey},
  {store, clientOf}: Pick<Performer, 'store' | 'clientOf'>,
): Promise<void> {
  const {actions} = clientOf(effect.key);
  switch (effect.kind) {
    case 'show_changes':
      return store.dispatch({type: 'overlay_opened', overlay: changesOverlay(await actions.changes())});
    case 'plan_undo':
      return offerUndo(await actions.planUndo(), effect.key, store);
    case 'undo':
      return actions.undo(effect.turn);
  }
}

/** Asks before anything is taken back. */
function offerUndo(plan: UndoPlan | undefined, key: SessionKey, store: Performer['store']): void {
  const now = performance.now();
  const cwd = store.current().sessions[key]?.session.cwd ?? '';
  store.dispatch(
    plan
      ? {
          type: 'overlay_opened',
          overlay: {kind: 'picker', picker: undoPicker(plan, cwd, now + GUARD_MS)},
        }
      : {
          type: 'hint_shown',
          text: 'There is nothing to take back: no turn has written files through acp-tui.',
          until: now + HINT_MS,
        },
  );
}

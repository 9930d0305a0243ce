import type {SessionEffect} from '../app/effects.ts';
import {HINT_MS} from '../app/hint-time.ts';
import {permissionsPicker} from '../app/permission-choices.ts';
import {decisionsOverlay, explanationOverlay} from '../app/permission-pages.ts';
import type {Overlay, SessionKey} from '../app/state.ts';
import type {Result} from '../shared/failure.ts';
import type {Performer} from './window/performer.ts';

type PermissionEffect = Extract<
  SessionEffect,
  {kind: 'show_permissions' | 'show_decisions' | 'explain_decision' | 'add_rule' | 'remove_rule'}
>;

/** Shows and changes what decides about permissions. */
export async function performPermissions(
  effect: PermissionEffect & {readonly key: SessionKey},
  {store, permissions}: Performer,
): Promise<Result<void> | undefined> {
  const open = store.current().sessions[effect.key];
  const show = (overlay: Overlay) => store.dispatch({type: 'overlay_opened', overlay});
  const tell = (text: string) =>
    store.dispatch({type: 'hint_shown', text, until: performance.now() + HINT_MS});
  switch (effect.kind) {
    case 'show_permissions': {
      if (!open) return undefined;
      const shown = {rules: permissions.rules(open.session.cwd), decisions: permissions.decisions()};
      show({kind: 'picker', picker: permissionsPicker(shown, open)});
      return undefined;
    }
    case 'show_decisions':
      show(decisionsOverlay(permissions.log(open?.session.sessionId ?? '')));
      return undefined;
    case 'explain_decision': {
      const decision = permissions.decisions()[effect.index];
      if (decision) show(explanationOverlay(decision));
      return undefined;
    }
    case 'add_rule': {
      const added = await permissions.add(effect);
      if (added.ok) tell(`Rule: ${effect.effect} ${effect.text}.`);
      return added;
    }
    case 'remove_rule': {
      const isThere = permissions
        .rules(open?.session.cwd ?? '')
        .some(({source, text}) => source === 'user' && text === effect.text);
      if (!isThere) {
        tell(`There is no rule "${effect.text}" of yours; /permissions lists them.`);
        return undefined;
      }
      const removed = await permissions.remove(effect.text);
      if (removed.ok) tell(`No rule any more: ${effect.text}.`);
      return removed;
    }
  }
}

import {fold, type Step} from '../effects.ts';
import {acceptFile} from '../file-menu.ts';
import type {Action} from '../keymap.ts';
import type {Menu} from '../menu.ts';
import {clearDraft, insertText} from '../prompt/insert.ts';
import {activeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {submitText} from './submit.ts';

interface MenuKey {
  readonly state: AppState;
  readonly menu: Menu;
  readonly action: Action | undefined;
  readonly at: number;
}

/** Keys that the open menu takes; undefined for those that go on to the draft. */
export function menuKey({state, menu, action, at}: MenuKey): Step | undefined {
  const {items, selected} = menu;
  const item = items[selected];
  if (!item) return undefined;
  switch (action) {
    case 'up_or_earlier':
      return fold({type: 'menu_moved', selected: (selected || items.length) - 1});
    case 'down_or_later':
      return fold({type: 'menu_moved', selected: (selected + 1) % items.length});
    case 'focus_request': {
      if (item.file) return acceptFile(state, item.file, at);
      const text = item.argument === undefined ? item.text : `${item.text} `;
      const draft = insertText(clearDraft(activeSession(state).draft), text);
      return fold({type: 'draft_changed', key: state.active, draft, at});
    }
    case 'send':
      return item.file ? acceptFile(state, item.file, at) : submitText(state, item.text, {at, place: 'last'});
    default:
      return undefined;
  }
}

import {pendingRequest} from '../../session/selectors.ts';
import type {PendingUrl} from '../../session/state.ts';
import {nothing, type Step, fold, perform, together} from '../effects.ts';
import type {KeyEvent} from '../input/keys.ts';
import type {Action} from '../keymap/keymap.ts';
import {linkOptions, type LinkAction} from '../requests/link-options.ts';
import {isDeceptive} from '../requests/reading.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, RequestView} from '../state.ts';
import {isAtWork} from './cancel.ts';
import {formKey} from './form-keys.ts';
import {globalKey} from './global-keys.ts';
import {requireUnlock, guardInput, notYetAllowed, unlock, type Pressed} from './input-guard.ts';
import {permissionKey, keyOfChoice, selectBy} from './permission-keys.ts';

/** Keys while a request has the focus. */
export function requestKey(state: AppState, key: KeyEvent, view: RequestView): Step {
  const request = pendingRequest(activeSession(state).session, view.id);
  switch (request?.kind) {
    case 'permission':
      return permissionKey({state, view, request}, key);
    case 'form':
      return formKey({state, view, request}, key);
    case 'url':
      return linkKey({state, view, request}, key);
    case undefined:
      return nothing;
  }
}

interface LinkPress extends Pressed {
  readonly request: PendingUrl;
}

/** Keys while a URL request has the focus. Text that is not bound goes to the prompt. */
function linkKey({state, view, request}: Omit<LinkPress, 'key'>, pressed: KeyEvent): Step {
  const found = keyOfChoice('link', {state, view}, pressed);
  if ('step' in found) return found.step;
  const {action, key} = found;
  const asked = {state, view, request, key};
  switch (action) {
    case 'choose_previous':
      return selectBy(-1, view, linkOptions(request));
    case 'choose_next':
      return selectBy(1, view, linkOptions(request));
    case 'unlock_allowing':
      return unlock(asked);
    case 'copy_text':
      return perform({kind: 'copy', text: request.link.href, what: 'the URL'});
    case 'confirm':
    case 'choose_by_number':
      return guardInput(asked) ?? doMeant(asked, action);
    default:
      return globalKey(state, action, key.at);
  }
}

function doMeant(asked: LinkPress, action: Extract<Action, 'confirm' | 'choose_by_number'>): Step {
  const {view, request, key} = asked;
  const index = action === 'confirm' ? view.selected : Number(key.name) - 1;
  if (action === 'confirm' && isDeceptive(request)) return requireUnlock(asked);
  const option = linkOptions(request)[index];
  return option ? doAction(asked, option.action) : nothing;
}

function doAction(asked: LinkPress, action: LinkAction): Step {
  const {state, request} = asked;
  const of = {key: state.active, id: request.id};
  const answered = fold({type: 'request_answered'});
  switch (action) {
    case 'open':
      return notYetAllowed(asked) ?? together(answered, perform({kind: 'open_link', ...of}));
    case 'decline':
      return together(answered, perform({kind: 'answer', ...of, answer: {kind: 'declined'}}));
    case 'cancel':
      return together(answered, perform({kind: 'answer', ...of, answer: {kind: 'cancelled'}}));
    case 'go_on':
      return together(answered, perform({kind: 'answer', ...of, answer: {kind: 'done'}}));
    case 'open_again':
      return perform({kind: 'open_link', ...of});
    case 'give_up': {
      const cancelled = isAtWork(state) ? perform({kind: 'cancel', key: state.active}) : nothing;
      return together(answered, perform({kind: 'answer', ...of, answer: {kind: 'done'}}), cancelled);
    }
  }
}

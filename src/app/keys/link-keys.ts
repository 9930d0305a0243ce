import type {PendingUrl} from '../../session/state.ts';
import {fold, nothing, perform, together, type Step} from '../effects.ts';
import {linkOptions, type LinkDeed} from '../forms/link-options.ts';
import type {KeyEvent} from '../input/key-event.ts';
import type {Action} from '../keymap.ts';
import {isAtWork} from './back.ts';
import {keyOfChoice, selectBy} from './choice-keys.ts';
import {everywhere} from './everywhere.ts';
import {isDeceptive} from '../reading.ts';
import {deliberate, heldOff, notYetAllowed, unlock, type Pressed} from './held-off.ts';

interface Asked extends Pressed {
  readonly request: PendingUrl;
}

/** Keys while an address that is to be opened has the keyboard. Text that is no key of its own goes to the prompt. */
export function linkKey({state, view, request}: Omit<Asked, 'key'>, pressed: KeyEvent): Step {
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
      return perform({kind: 'copy', text: request.link.href, what: 'the address'});
    case 'confirm':
    case 'choose_by_number':
      return heldOff(asked) ?? doMeant(asked, action);
    default:
      return everywhere(state, action, key.at);
  }
}

function doMeant(asked: Asked, action: Extract<Action, 'confirm' | 'choose_by_number'>): Step {
  const {view, request, key} = asked;
  const index = action === 'confirm' ? view.selected : Number(key.name) - 1;
  if (action === 'confirm' && isDeceptive(request)) return deliberate(asked);
  const option = linkOptions(request)[index];
  return option ? doDeed(asked, option.deed) : nothing;
}

function doDeed(asked: Asked, deed: LinkDeed): Step {
  const {state, request} = asked;
  const of = {key: state.active, id: request.id};
  const answered = fold({type: 'request_answered'});
  switch (deed) {
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

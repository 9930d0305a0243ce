import type {PendingUrl} from '../../session/state.ts';
import {fold, nothing, perform, together, type Step} from '../effects.ts';
import {linkOptions, type LinkDeed} from '../forms/link-options.ts';
import type {KeyEvent} from '../input/key-event.ts';
import {actionFor, type Action} from '../keymap.ts';
import {scrolledBy} from '../scroll.ts';
import {isAtWork} from './back.ts';
import {everywhere} from './everywhere.ts';
import {heldOff, readOn, type Pressed} from './held-off.ts';
import {typeIntoPrompt} from './prompt-keys.ts';

interface Asked extends Pressed {
  readonly request: PendingUrl;
}

/** Keys while an address that is to be opened has the keyboard. Text that is no key of its own goes to the prompt. */
export function linkKey({state, view, request}: Omit<Asked, 'key'>, key: KeyEvent): Step {
  if (key.kind === 'paste') return typeIntoPrompt(state, key);
  const action = actionFor('link', key, state.keymap);
  if (action === undefined) return key.text === '' ? nothing : typeIntoPrompt(state, key);
  const firstRow = scrolledBy(action, view.scroll);
  if (firstRow !== undefined) return fold({type: 'request_scrolled', firstRow});
  const asked = {state, view, request, key};
  switch (action) {
    case 'choose_previous':
      return select(asked, -1);
    case 'choose_next':
      return select(asked, 1);
    case 'copy_text':
      return perform({kind: 'copy', text: request.link.href, what: 'the address'});
    case 'confirm':
    case 'choose_by_number':
      return heldOff(asked) ?? doMeant(asked, action);
    default:
      return everywhere(state, action, key.at);
  }
}

function select({view, request}: Asked, by: number): Step {
  const count = linkOptions(request).length;
  return fold({type: 'request_selected', selected: (view.selected + by + count) % count});
}

function doMeant(asked: Asked, action: Extract<Action, 'confirm' | 'choose_by_number'>): Step {
  const {view, request, key} = asked;
  const index = action === 'confirm' ? view.selected : Number(key.name) - 1;
  const option = linkOptions(request)[index];
  return option ? doDeed(asked, option.deed) : nothing;
}

function doDeed(asked: Asked, deed: LinkDeed): Step {
  const {state, view, request} = asked;
  const of = {key: state.active, id: request.id};
  const answered = fold({type: 'request_answered'});
  switch (deed) {
    case 'open':
      return view.endSeen ? together(answered, perform({kind: 'open_link', ...of})) : readOn(asked);
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

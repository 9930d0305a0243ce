import {callAction, moveFocus, nothing, perform, combine, type Reaction} from '../effects.ts';
import {toast} from '../status/toasts.ts';
import type {KeyEvent} from '../input/keys.ts';
import {actionFor} from '../keymap/keymap.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, Tab} from '../state.ts';
import {globalKey} from './global-keys.ts';
import {typeIntoPrompt} from './prompt-keys.ts';

/** Keys while a queued prompt is selected. Text that is not bound goes to the draft. */
export function queueKey(state: AppState, key: KeyEvent, id: string): Reaction {
  const action = key.kind === 'key' ? actionFor('queue', key, state.keymap) : undefined;
  const tab = activeSession(state);
  const {at} = key;
  switch (action) {
    case undefined:
      return key.text === '' ? nothing : typeIntoPrompt(state, key);
    case 'choose_previous':
      return select(tab, {id, by: -1, at});
    case 'choose_next':
      return select(tab, {id, by: 1, at});
    case 'edit_queued':
      return unlessSteering(tab, id, at) ?? perform({kind: 'edit_unsent', key: tab.key, id});
    case 'send_queued_now':
      return sendQueuedNow(state, id, at);
    case 'move_queued_up':
      return callAction(tab.key, 'changeQueue', {kind: 'move', id, by: -1});
    case 'move_queued_down':
      return callAction(tab.key, 'changeQueue', {kind: 'move', id, by: 1});
    case 'remove_queued':
      return unlessSteering(tab, id, at) ?? remove(tab, id, at);
    default:
      return globalKey(state, action, at);
  }
}

/** Sends a queued prompt at once, and returns to the draft. */
export function sendQueuedNow({active}: AppState, id: string, at: number): Reaction {
  return combine(
    moveFocus({kind: 'prompt'}, at),
    callAction(active, 'changeQueue', {kind: 'prioritize', id}),
  );
}

/** The draft comes after the last one. */
function select(
  {session}: Tab,
  {id, by, at}: {readonly id: string; readonly by: -1 | 1; readonly at: number},
): Reaction {
  const {prompts} = session.queue;
  const next = prompts[prompts.findIndex((prompt) => prompt.id === id) + by];
  if (next) return moveFocus({kind: 'queue', id: next.id}, at);
  return by === 1 ? moveFocus({kind: 'prompt'}, at) : nothing;
}

/** The selection moves to the next one, so that several can be removed in a row. */
function remove({key, session}: Tab, id: string, at: number): Reaction {
  const {prompts} = session.queue;
  const place = prompts.findIndex((prompt) => prompt.id === id);
  const next = prompts[place + 1] ?? prompts[place - 1];
  const attached = prompts[place]?.outputs?.length ? ' What was attached goes with the next prompt.' : '';
  return combine(
    next ? moveFocus({kind: 'queue', id: next.id}, at) : nothing,
    toast(`Removed from the queue; still in the history.${attached}`, at),
    callAction(key, 'changeQueue', {kind: 'remove', id}),
  );
}

function unlessSteering({session}: Tab, id: string, at: number): Reaction | undefined {
  const isSteering = session.queue.prompts.some((prompt) => prompt.id === id && prompt.steering);
  return isSteering ? toast('This prompt is being sent.', at) : undefined;
}

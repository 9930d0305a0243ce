import {fold, nothing, together, type Step} from '../effects.ts';
import {combinationOf, type KeyEvent} from '../input/key-event.ts';
import type {AppState} from '../state.ts';
import {PAUSE_MS} from '../command-keyboard.ts';
import {commandKey} from './command-keys.ts';
import {moreKey} from './more-keys.ts';
import {pageKey} from './page-keys.ts';
import {pickerKey} from './picker-keys.ts';
import {promptKey} from './prompt-keys.ts';
import {queueKey} from './queue-keys.ts';
import {replayKey} from './replay-keys.ts';
import {requestKey} from './request-keys.ts';
import {transcriptKey} from './transcript-keys.ts';

/** What a key does now: events to fold, in order, then effects to perform. Pure; never throws. */
export function handleKey(state: AppState, key: KeyEvent): Step {
  const combination = key.kind === 'key' ? combinationOf(key) : undefined;
  if (state.deafUntil !== undefined) return fold({type: 'key_ignored', until: key.at + PAUSE_MS});
  const step = route(state, key);
  if (combination === undefined) return step;
  return together(step, fold({type: 'key_pressed', combination, at: key.at}));
}

/** What lies on top has the keyboard. */
function route(state: AppState, key: KeyEvent): Step {
  const {overlay, focus, request} = state;
  if (overlay.kind === 'picker') return pickerKey(state, key, overlay.picker);
  if (overlay.kind === 'more_keys') return moreKey(state, key);
  if (overlay.kind === 'editor') return nothing;
  if (overlay.kind === 'transcript') return transcriptKey(state, key, overlay);
  if (overlay.kind !== 'none') return pageKey(state, key, overlay.scroll);
  if (state.replay) return replayKey(state, key);
  if (focus.kind === 'command') return commandKey(state, key, focus.id);
  if (focus.kind === 'queue') return queueKey(state, key, focus.id);
  return focus.kind === 'request' && request ? requestKey(state, key, request) : promptKey(state, key);
}

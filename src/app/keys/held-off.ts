import {fold, nothing, together, type Step} from '../effects.ts';
import {hint} from '../hints.ts';
import {combinationOf, type KeyPress} from '../input/key-event.ts';
import {REPEAT_MS} from '../requests.ts';
import {within} from '../scroll.ts';
import type {AppState, RequestView} from '../state.ts';
import {typeIntoPrompt} from './prompt-keys.ts';

/** What is said of a key that does not count. */
export const TOO_SOON = 'That key came too soon to count; press it again.';

/** A key that was pressed while a request has the keyboard. */
export interface Pressed {
  readonly state: AppState;
  readonly view: RequestView;
  readonly key: KeyPress;
}

/**
 * What to do with a key that cannot have been meant for what is on the screen: pressed before that was drawn, right after it
 * took the keyboard, or a repeat of a key that was pressed elsewhere and is still held down. Undefined when it counts.
 */
export function heldOff(pressed: Pressed): Step | undefined {
  const {state, view, key} = pressed;
  return isRepeat(state, view, key) ? doNotCount(pressed) : tooEarly(pressed);
}

/** The same for a key that answers nothing: one that is still held down does no harm. */
export function tooEarly(pressed: Pressed): Step | undefined {
  const {view, key} = pressed;
  return view.answered || key.at <= view.answerFrom ? doNotCount(pressed) : undefined;
}

function doNotCount({state, view, key}: Pressed): Step {
  if (view.answered) return nothing;
  if (view.tookFocus && key.text !== '') return typeIntoPrompt(state, key);
  if (view.answerFrom === Infinity) return nothing;
  const until = Math.max(view.answerFrom, key.at);
  return together(fold({type: 'request_held_off', until}), hint(TOO_SOON, key.at));
}

function isRepeat({lastKey}: AppState, view: RequestView, key: KeyPress): boolean {
  return (
    lastKey !== undefined &&
    lastKey.at <= view.answerFrom &&
    lastKey.combination === combinationOf(key) &&
    key.at - lastKey.at < REPEAT_MS
  );
}

/** What is to be allowed has to be read first: shows the next part of it. */
export function readOn({view: {scroll}, key}: Pick<Pressed, 'view' | 'key'>): Step {
  const firstRow = within(scroll, scroll.firstRow + Math.max(1, scroll.visibleRows - 1));
  const more = 'Read to the end before you allow it: End goes there.';
  return together(fold({type: 'request_scrolled', firstRow}), hint(more, key.at));
}

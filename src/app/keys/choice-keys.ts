import {fold, nothing, type Step} from '../effects.ts';
import type {KeyEvent, KeyPress} from '../input/key-event.ts';
import {actionFor, type Action} from '../keymap.ts';
import {readBy} from '../reading.ts';
import type {RequestView} from '../state.ts';
import type {Pressed} from './held-off.ts';
import {typeIntoPrompt} from './prompt-keys.ts';

/** What a key does with every request in which one of several options is chosen, or which action it has there. */
export function keyOfChoice(
  context: 'request' | 'link',
  {state, view}: Omit<Pressed, 'key'>,
  key: KeyEvent,
): {readonly step: Step} | {readonly action: Action; readonly key: KeyPress} {
  if (key.kind === 'paste') return {step: typeIntoPrompt(state, key)};
  const action = actionFor(context, key, state.keymap);
  if (action === undefined) return {step: key.text === '' ? nothing : typeIntoPrompt(state, key)};
  const firstRow = readBy(action, view);
  return firstRow === undefined ? {action, key} : {step: fold({type: 'request_scrolled', firstRow})};
}

/** Marks the option so many places on, going round. */
export function selectBy(by: number, {selected}: RequestView, options: readonly unknown[]): Step {
  return fold({type: 'request_selected', selected: (selected + by + options.length) % options.length});
}

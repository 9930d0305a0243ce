import {fold, nothing, together, type Step} from '../effects.ts';
import {toast} from '../status/toasts.ts';
import type {KeyPress} from '../input/keys.ts';
import {
  isRepeat,
  TOO_SOON,
  isDeceptive,
  readingOf,
  unseenOfRule,
  type Reading,
} from '../requests/request-guard.ts';
import type {PendingRequest} from '../../session/state.ts';
import {keyFor, keyName} from '../keymap/key-names.ts';
import type {Keymap} from '../keymap/keymap.ts';
import type {AppState, RequestGuard, RequestView} from '../state.ts';
import {typeIntoPrompt} from './prompt-keys.ts';

/** A key that was pressed while a request has the focus. */
export interface Pressed {
  readonly state: AppState;
  readonly view: RequestView;
  readonly key: KeyPress;
}

/**
 * Returns what to do with a key that can't be meant for the request on the screen: pressed before it was drawn, right after it took the focus, or a repeat of
 * a key that is still held down. Undefined if the key counts.
 */
export function guardInput(pressed: Pressed, guard: RequestGuard = 'answerFrom'): Step | undefined {
  const {state, view, key} = pressed;
  return isRepeat(state, view[guard], key) ? ignoreKey(pressed, guard) : guardEarlyKey(pressed, guard);
}

/** The same for a key that does not answer: repeats are harmless. */
export function guardEarlyKey(pressed: Pressed, guard: RequestGuard = 'answerFrom'): Step | undefined {
  const {view, key} = pressed;
  return view.answered || key.at <= view[guard] ? ignoreKey(pressed, guard) : undefined;
}

function ignoreKey({state, view, key}: Pressed, guard: RequestGuard): Step {
  if (view.answered) return nothing;
  if (view.tookFocus && key.text !== '') return typeIntoPrompt(state, key);
  if (view[guard] === Infinity) return nothing;
  const until = Math.max(view[guard], key.at);
  return together(fold({type: 'request_guarded', until, guard}), toast(TOO_SOON, key.at));
}

/** A request that a key would allow. */
interface ToAllow extends Pressed {
  readonly request: PendingRequest;
}

/** Returns what to do with a key that would allow something unread, or with hidden characters; undefined if it may. */
export function notYetAllowed(asked: ToAllow): Step | undefined {
  const {state, view, request} = asked;
  const reading = readingOf(request, view, state.requireReading);
  if (reading.left > 0) return scrollToUnread(asked, reading);
  return isDeceptive(request) && !view.unlocked ? requireUnlock(asked) : undefined;
}

/** Shows which keys allow a request with hidden characters: a combination that is not pressed by accident. */
export function requireUnlock({state: {keymap}, key}: Pick<Pressed, 'state' | 'key'>): Step {
  return toast(`${unlockSentence(keymap)} ${keyFor('confirm', keymap)} does not allow it.`, key.at);
}

/** Handles the first of the two keys that allow a request with hidden characters. */
export function unlock(asked: ToAllow): Step {
  if (!isDeceptive(asked.request)) return nothing;
  const unlocked = {...asked, view: {...asked.view, unlocked: true}};
  return guardInput(asked) ?? notYetAllowed(unlocked) ?? fold({type: 'request_unlocked'});
}

/** Returns how to allow a request with hidden characters. */
export function unlockSentence(keymap: Keymap): string {
  return `Contains hidden characters. To allow: ${keyFor('unlock_allowing', keymap)}, then a number.`;
}

/** Scrolls to the suggested rule, which can be accepted only once it was visible; undefined if it was. */
export function ruleNotShown({view, key}: Pressed): Step | undefined {
  const firstRow = unseenOfRule(view);
  if (firstRow === undefined) return undefined;
  const text = 'The rule was not visible yet: read it, then press the key again.';
  return together(fold({type: 'request_scrolled', firstRow}), toast(text, key.at));
}

/** Scrolls to the next unread part; the request shows how much is left. */
function scrollToUnread({state, key}: ToAllow, {next}: Reading): Step {
  const more = `Read the rest before allowing: ${pageKeys(state.keymap)} scrolls.`;
  return together(fold({type: 'request_scrolled', firstRow: next}), toast(more, key.at));
}

/** Returns the names of the keys for the next page. */
export function pageKeys({request}: Keymap): string {
  return (request.scroll_page_down ?? []).map(keyName).toReversed().join('/');
}

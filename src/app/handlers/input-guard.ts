import {fold, nothing, together, type Step} from '../effects.ts';
import {toast} from '../status/toasts.ts';
import {combinationOf, type KeyPress} from '../input/keys.ts';
import {REPEAT_MS} from '../requests/focus-guard.ts';
import {isDeceptive, readingOf, unseenOfRule, type Reading} from '../requests/reading.ts';
import type {PendingRequest} from '../../session/state.ts';
import {keyFor, keyName} from '../keymap/key-names.ts';
import type {Keymap} from '../keymap/keymap.ts';
import type {AppState, RequestGuard, RequestView} from '../state.ts';
import {typeIntoPrompt} from './prompt-keys.ts';

/** The notice for an ignored key. */
export const TOO_SOON = 'Key pressed too soon; press it again.';

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
export function guardInput(pressed: Pressed, guard: RequestGuard = 'answerFrom'): Step | undefined {
  const {state, view, key} = pressed;
  return isRepeat(state, view[guard], key) ? ignoreKey(pressed, guard) : guardEarlyKey(pressed, guard);
}

/** The same for a key that answers nothing: one that is still held down does no harm. */
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

function isRepeat({lastKey}: AppState, from: number, key: KeyPress): boolean {
  return (
    lastKey !== undefined &&
    lastKey.at <= from &&
    lastKey.combination === combinationOf(key) &&
    key.at - lastKey.at < REPEAT_MS
  );
}

/** A request that a key would allow. */
interface ToAllow extends Pressed {
  readonly request: PendingRequest;
}

/** What a key does that would allow what was not read, or what has hidden characters; undefined when it allows. */
export function notYetAllowed(asked: ToAllow): Step | undefined {
  const {state, view, request} = asked;
  const reading = readingOf(request, view, state.requireReading);
  if (reading.left > 0) return scrollToUnread(asked, reading);
  return isDeceptive(request) && !view.unlocked ? requireUnlock(asked) : undefined;
}

/** Says which keys allow what has hidden characters: none that may be pressed, or held down, without a look. */
export function requireUnlock({state: {keymap}, key}: Pick<Pressed, 'state' | 'key'>): Step {
  return toast(`${unlockSentence(keymap)} ${keyFor('confirm', keymap)} does not allow it.`, key.at);
}

/** The first of the two keys that allow what has hidden characters. */
export function unlock(asked: ToAllow): Step {
  if (!isDeceptive(asked.request)) return nothing;
  const unlocked = {...asked, view: {...asked.view, unlocked: true}};
  return guardInput(asked) ?? notYetAllowed(unlocked) ?? fold({type: 'request_unlocked'});
}

/** What allows a request with hidden characters, in words. */
export function unlockSentence(keymap: Keymap): string {
  return `Contains hidden characters. To allow: ${keyFor('unlock_allowing', keymap)}, then a number.`;
}

/** Shows the offered rule, which is accepted only once it was on the screen; undefined when it was. */
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

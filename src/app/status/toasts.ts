import {stateTitle} from '../../session/labels/session-states.ts';
import {lineCountsLabel} from '../../session/line-counts.ts';
import {changesOfLastTurn, isOpenedLink, isReady, pendingRequest} from '../../session/selectors.ts';
import {activeCommand, shellCommand} from '../queue/shell-commands.ts';
import {emitEvent, type Reaction} from '../effects.ts';
import {TOAST_MS, activeSession, activeDraft} from '../sessions.ts';
import {hintsOf, type Hint} from '../keymap/hints.ts';
import {keyFor, keyNames, leaderKeyFor} from '../keymap/key-names.ts';
import type {Action} from '../keymap/keymap.ts';
import {offersFirst, recoveryFor} from '../recovery/recovery-menu.ts';
import {isEmpty} from '../editor/draft.ts';
import {replayHints} from '../pages/replay.ts';
import type {AppState, Tab} from '../state.ts';

/** Returns a reaction that shows one line of feedback near the prompt. */
export function toast(text: string, at: number): Reaction {
  return emitEvent({type: 'toast_shown', text, until: at + TOAST_MS});
}

/** Returns the line below the prompt: feedback to the last key, otherwise hints. */
export function hintLine(state: AppState, {isMenuOpen = false} = {}): string | readonly Hint[] | undefined {
  if (state.replay)
    return state.toast?.text ?? (state.overlay.kind === 'none' ? replayHints(state.keymap) : undefined);
  const permanent = isMenuOpen && state.request ? menuHints(state) : permanentHints(state);
  return focusHints(state) ?? state.toast?.text ?? permanent;
}

/** Hints at the menu's key. */
function menuHints(state: AppState): readonly Hint[] {
  const [close, answer] = [keyFor('cancel_or_back', state.keymap), keyFor('focus_request', state.keymap)];
  return [`${stateTitle('waiting')}: ${close} close menu, then ${answer} answer`];
}

/** Hints for what has the focus, if not the prompt; these precede all other hints. */
function focusHints(state: AppState): readonly Hint[] | undefined {
  if (state.ignoreKeysUntil !== undefined)
    return ['The command exited. Keys are ignored until you pause: they may be meant for it.'];
  const command = activeCommand(state);
  if (!command) return undefined;
  const line = command.command ?? 'the command';
  return [
    'Typing into the command',
    [leaderKeyFor('give_keyboard', state.keymap), 'back to prompt'],
    [leaderKeyFor('stop_command', state.keymap), 'stop'],
    line,
  ];
}

function permanentHints(state: AppState): readonly Hint[] | undefined {
  if (state.focus.kind === 'note') return noteHints(state);
  if (state.focus.kind === 'queue' && state.overlay.kind === 'none') return queueHints(state);
  if (state.overlay.kind !== 'none' || state.focus.kind === 'request') return undefined;
  const tab = activeSession(state);
  if (shellCommand(tab.draft.text) !== undefined)
    return [hint(state, 'send', 'run in your shell'), hint(state, 'cancel_or_back', 'leave shell mode')];
  if (state.request) return requestHints(state, state.request.id);
  const offer = recoveryFor(tab);
  if (offer && tab.session.turn.kind === 'idle') return offerHints(state, offer.hint ?? offer.title);
  const {prompts, isPaused} = tab.session.queue;
  if (prompts.length === 0) return retryHints(state, tab) ?? changesHints(state, tab);
  const change = isEmpty(activeDraft(state))
    ? hint(state, 'up_or_earlier', 'edit')
    : hint(state, 'edit_last_queued', 'edit last');
  if (isPaused && isReady(tab.session))
    return ['Queue paused', hint(state, 'send', 'continue (empty prompt)'), change];
  return ['Queued', change, [leaderKeyFor('send_now', state.keymap), 'send now']];
}

function offerHints(state: AppState, offer: string): readonly Hint[] {
  const tab = activeSession(state);
  const isNow = isEmpty(activeDraft(state)) || offersFirst(tab);
  return [offer, hint(state, 'send', `show options${isNow ? '' : ' (empty prompt)'}`)];
}

function noteHints(state: AppState): readonly Hint[] {
  const {turn, agent} = activeSession(state).session;
  const when = turn.kind === 'idle' || agent?.steers ? ' and send' : ', then send after this turn';
  return [
    'Say why, or what to do instead',
    hint(state, 'send', `reject${when}`),
    hint(state, 'cancel_or_back', 'back'),
  ];
}

function requestHints(state: AppState, id: string): readonly Hint[] {
  const request = pendingRequest(activeSession(state).session, id);
  return request && isOpenedLink(request)
    ? ['Waiting for you to finish in the browser', hint(state, 'focus_request', 'continue or give up')]
    : [stateTitle('waiting'), hint(state, 'focus_request', 'answer')];
}

function retryHints(state: AppState, {session, draft}: Tab): readonly Hint[] | undefined {
  const isFailed = session.turn.kind === 'idle' && session.lastTurn?.outcome.kind === 'failed';
  return isFailed && isReady(session) && isEmpty(draft)
    ? [hint(state, 'resend', 'send the last prompt again')]
    : undefined;
}

/** What the last turn changed, until the next prompt. */
function changesHints(state: AppState, {session, draft}: Tab): readonly Hint[] | undefined {
  const changed = changesOfLastTurn(session);
  if (!changed || changed.files === 0 || !isEmpty(draft)) return undefined;
  // The end of the turn says how many files.
  const isSaid = session.lastTurn?.changedFiles !== undefined;
  const counts = isSaid ? `+${changed.added} −${changed.removed}` : lineCountsLabel(changed);
  return [counts, [leaderKeyFor('show_review', state.keymap), 'review']];
}

/** Returns the keys of the queue, as bound. */
function queueHints(state: AppState): readonly Hint[] {
  const {session} = activeSession(state);
  const isSteered = session.agent?.steers === true;
  const now = session.turn.kind === 'idle' || isSteered ? 'send now' : 'cancel the turn and send now';
  return [
    hint(state, 'edit_queued', 'edit'),
    hint(state, 'send_queued_now', now),
    hint(state, ['move_queued_up', 'move_queued_down'], 'move'),
    hint(state, 'remove_queued', 'remove'),
    hint(state, 'cancel_or_back', 'back'),
  ];
}

function hint({keymap}: AppState, actions: Action | readonly Action[], does: string): Hint {
  return hintsOf(keyNames(keymap))(actions, does);
}

import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {PermissionAnswer} from '../../session/actions.ts';
import {canReject, isRefusing, linkChoices, rejectOption, toolCall} from '../../session/selectors.ts';
import type {PendingPermission, PendingRequest, PendingUrl} from '../../session/state.ts';
import {isAtWork} from '../back-target.ts';
import {call, fold, moveFocus, nothing, perform, requestChanged, together, type Step} from '../effects.ts';
import {type KeyEvent, combinationOf, type KeyPress} from '../input/keys.ts';
import {keyFor} from '../keymap/key-names.ts';
import {type Action, actionFor} from '../keymap/keymap.ts';
import {openedViewer} from '../pages/viewer.ts';
import {requestHelpPicker} from '../pickers/palette.ts';
import {openPicker} from '../pickers/picker.ts';
import {openProposal} from '../editor/external-editor.ts';
import {editableContent, whyNotEditable} from '../requests/editable-content.ts';
import {
  isDeceptive,
  pageKeys,
  readBy,
  type Reading,
  readingOf,
  TOO_SOON,
  unlockSentence,
  unseenOfRule,
} from '../requests/request-guard.ts';
import {isUnlocked, judgeKey, type KeyPurpose} from '../requests/request-phase.ts';
import {activeSession} from '../sessions.ts';
import type {AppState, RequestView} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {globalKey} from './global-keys.ts';
import {typeIntoPrompt} from './prompt-keys.ts';

interface LinkPress extends Pressed {
  readonly request: PendingUrl;
}

/** Keys while a URL request has the focus. Text that is not bound goes to the prompt. */
export function linkKey({state, view, request}: Omit<LinkPress, 'key'>, pressed: KeyEvent): Step {
  const found = keyOfChoice('link', {state, view}, pressed);
  if ('step' in found) return found.step;
  const {action, key} = found;
  const asked = {state, view, request, key};
  switch (action) {
    case 'choose_previous':
      return selectBy(-1, view, linkChoices(request));
    case 'choose_next':
      return selectBy(1, view, linkChoices(request));
    case 'unlock_allowing':
      return unlock(asked);
    case 'copy_text':
      return perform({kind: 'copy', text: request.link.href, what: 'the URL'});
    case 'confirm':
    case 'choose_by_number':
      return guardKey(asked) ?? doMeant(asked, action);
    default:
      return globalKey(state, action, key.at);
  }
}

function doMeant(asked: LinkPress, action: Extract<Action, 'confirm' | 'choose_by_number'>): Step {
  const {state, view, request, key} = asked;
  const index = action === 'confirm' ? view.selected : Number(key.name) - 1;
  if (action === 'confirm' && isDeceptive(request)) return requireUnlock(asked);
  const open = perform({kind: 'open_link', key: state.active, id: request.id});
  const answered = fold({type: 'request_answered'});
  const answer = (kind: 'declined' | 'cancelled' | 'done') =>
    together(answered, call(state.active, 'answer', request.id, {kind}));
  const choice = linkChoices(request)[index];
  switch (choice) {
    case undefined:
      return nothing;
    case 'open':
      return notYetAllowed(asked) ?? together(answered, open);
    case 'open_again':
      return open;
    case 'give_up':
      return together(answer('done'), isAtWork(state) ? call(state.active, 'cancel') : nothing);
    default:
      return answer(choice);
  }
}

interface PermissionPress extends Pressed {
  readonly request: PendingPermission;
}

/** Keys while a permission request has the focus. Text that is not bound goes to the prompt. */
export function permissionKey({state, view, request}: Omit<PermissionPress, 'key'>, pressed: KeyEvent): Step {
  const found = keyOfChoice('request', {state, view}, pressed);
  if ('step' in found) return found.step;
  const {action, key} = found;
  const asked = {state, view, request, key};
  switch (action) {
    case 'choose_previous':
      return selectBy(-1, view, request.options);
    case 'choose_next':
      return selectBy(1, view, request.options);
    case 'explain':
      return openPicker(requestHelpPicker(request, state.keymap));
    case 'view_request':
      return viewCall(state, request);
    case 'unlock_allowing':
      return unlock(asked);
    case 'reject_with_note':
      return startNote(asked);
    case 'allow_by_rule':
      return allowByRule(asked);
    case 'edit_request':
      return editProposal(asked);
    default: {
      // An agent that offers no way to reject is told that the request was cancelled.
      if (kinds[action]?.startsWith('reject') && !canReject(request))
        return guardKey(asked, 'reject') ?? answered(asked, {kind: 'cancelled'});
      const index = optionFor(action, asked);
      if (index === undefined) return globalKey(state, action, key.at);
      return action === 'confirm' && isDeceptive(request) ? requireUnlock(asked) : answer(asked, index);
    }
  }
}

/** Shows the transcript from the call on, with the complete request below it. */
function viewCall(state: AppState, {toolCallId}: PendingPermission): Step {
  const id = toolCall(activeSession(state).session, toolCallId)?.id;
  const viewer =
    id === undefined ? openedViewer : {...openedViewer, position: {from: 'entry', id, rows: 0} as const};
  return fold({type: 'overlay_opened', overlay: {kind: 'transcript'}, viewer});
}

const kinds: Readonly<Partial<Record<Action, acp.PermissionOptionKind>>> = {
  allow_once: 'allow_once',
  allow_always: 'allow_always',
  reject_once: 'reject_once',
  reject_always: 'reject_always',
};

/** Returns the option for an answering key; -1 if there is none, or more than one; undefined for other keys. */
function optionFor(action: Action, {request, view, key}: PermissionPress): number | undefined {
  if (action === 'confirm') return view.selected;
  if (action === 'choose_by_number') return Number(key.name) - 1;
  const kind = kinds[action];
  if (kind === undefined) return undefined;
  const matching = request.options.filter((option) => option.kind === kind);
  const [only] = matching;
  return only && matching.length === 1 ? request.options.indexOf(only) : -1;
}

function answer(asked: PermissionPress, index: number): Step {
  const {request, key} = asked;
  const option = request.options[index];
  const refuses = option !== undefined && isRefusing(option);
  const tooSoon = guardKey(asked, refuses ? 'reject' : 'allow');
  if (tooSoon) return tooSoon;
  if (!option) return toast('No option has this key; select one by number.', key.at);
  const notYet = refuses ? undefined : notYetAllowed(asked);
  return notYet ?? answered(asked, {kind: 'option', index});
}

/** Not an option of the agent: allows once, and adds the suggested rule. */
function allowByRule(asked: PermissionPress): Step {
  const {request, key} = asked;
  const tooSoon = guardKey(asked);
  if (tooSoon) return tooSoon;
  if (request.rule === undefined)
    return toast('No rule is offered for this; /permissions adds any rule.', key.at);
  return notYetAllowed(asked) ?? ruleNotShown(asked) ?? answered(asked, {kind: 'rule'});
}

function answered({state, request, key}: PermissionPress, answer: PermissionAnswer): Step {
  const pressed = combinationOf(key);
  const seen = {changes: request.changes, ...(pressed !== undefined && {key: pressed})};
  return together(
    fold({type: 'request_answered'}),
    call(state.active, 'answer', request.id, answer.kind === 'cancelled' ? answer : {...answer, ...seen}),
  );
}

function startNote(asked: PermissionPress): Step {
  const {request, key} = asked;
  const tooSoon = guardKey(asked, 'reject');
  if (tooSoon) return tooSoon;
  if (rejectOption(request) === -1)
    return toast('The agent offers no "reject once"; select an option.', key.at);
  return moveFocus({kind: 'note', id: request.id}, key.at);
}

function editProposal(asked: PermissionPress): Step {
  const {state, request, key} = asked;
  const tooSoon = guardKey(asked);
  if (tooSoon) return tooSoon;
  const proposed = editableContent(request);
  if (!proposed) return toast(whyNotEditable(request) ?? TOO_SOON, key.at);
  const {path, text} = proposed;
  return openProposal(state, {id: request.id, changes: request.changes, path}, text);
}

/** Handles keys common to requests with options; undefined for other keys. */
function keyOfChoice(
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

/** Moves the selection by a number of options, wrapping around. */
function selectBy(by: number, {selected}: RequestView, options: readonly unknown[]): Step {
  return requestChanged({selected: (selected + by + options.length) % options.length});
}

/** A key that was pressed while a request has the focus. */
export interface Pressed {
  readonly state: AppState;
  readonly view: RequestView;
  readonly key: KeyPress;
}

/** Returns what to do with a key that does not count for the request; undefined if it does. */
export function guardKey({state, view, key}: Pressed, purpose: KeyPurpose = 'allow'): Step | undefined {
  switch (judgeKey(view.phase, {purpose, key, lastKey: state.lastKey})) {
    case 'counts':
      return undefined;
    case 'for_prompt':
      return typeIntoPrompt(state, key);
    case 'too_soon':
      return together(fold({type: 'request_guarded', purpose, at: key.at}), toast(TOO_SOON, key.at));
    case 'ignored':
      return nothing;
  }
}

/** A request that a key would allow. */
interface ToAllow extends Pressed {
  readonly request: PendingRequest;
}

/** Returns what to do with a key that would allow something unread, or with hidden characters; undefined if it may. */
function notYetAllowed(asked: ToAllow): Step | undefined {
  const {view, request} = asked;
  const isLocked = isDeceptive(request) && !isUnlocked(view.phase);
  return notYetRead(asked) ?? (isLocked ? requireUnlock(asked) : undefined);
}

function notYetRead(asked: ToAllow): Step | undefined {
  const {state, view, request} = asked;
  const reading = readingOf(request, view, state.requireReading);
  return reading.left > 0 ? scrollToUnread(asked, reading) : undefined;
}

/** Shows which keys allow a request with hidden characters: a combination that is not pressed by accident. */
function requireUnlock({state: {keymap}, key}: Pick<Pressed, 'state' | 'key'>): Step {
  return toast(`${unlockSentence(keymap)} ${keyFor('confirm', keymap)} does not allow it.`, key.at);
}

/** Handles the first of the two keys that allow a request with hidden characters. */
function unlock(asked: ToAllow): Step {
  if (!isDeceptive(asked.request)) return nothing;
  return guardKey(asked) ?? notYetRead(asked) ?? fold({type: 'request_unlocked'});
}

/** Scrolls to the suggested rule, which can be accepted only once it was visible; undefined if it was. */
function ruleNotShown({view, key}: Pressed): Step | undefined {
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

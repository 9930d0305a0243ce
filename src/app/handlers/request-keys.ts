import type {PermissionAnswer} from '../../session/actions.ts';
import {isRefusing, linkChoices, toolCall} from '../../session/selectors.ts';
import type {PendingPermission, PendingRequest, PendingUrl} from '../../session/state.ts';
import {isAtWork} from '../back-target.ts';
import {
  callAction,
  emitEvent,
  moveFocus,
  nothing,
  perform,
  patchRequest,
  combine,
  type Reaction,
} from '../effects.ts';
import {type KeyEvent, combinationOf, type KeyPress} from '../input/keys.ts';
import {keyFor} from '../keymap/key-names.ts';
import {type Action, actionFor} from '../keymap/keymap.ts';
import {openedViewer} from '../pages/viewer.ts';
import {requestPage} from '../pages/request-page.ts';
import {openProposal} from '../editor/external-editor.ts';
import {type Answer, answersOf} from '../requests/answers.ts';
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

interface LinkPress extends ActionPress {
  readonly request: PendingUrl;
}

/** Keys while a URL request has the focus. Text that is not bound goes to the prompt. */
export function linkKey(
  {state, view, request}: Omit<LinkPress, 'key' | 'action'>,
  pressed: KeyEvent,
): Reaction {
  const found = keyOfChoice('link', {state, view}, pressed);
  if ('step' in found) return found.step;
  const {action, key} = found;
  const press = {state, view, request, key, action};
  switch (action) {
    case 'choose_previous':
      return selectBy(-1, view, linkChoices(request));
    case 'choose_next':
      return selectBy(1, view, linkChoices(request));
    case 'unlock_allowing':
      return unlock(press);
    case 'copy_text':
      return perform({kind: 'copy', text: request.link.href, what: 'the URL'});
    case 'confirm':
    case 'choose_by_number':
      return guardKey(press) ?? doMeant(press);
    default:
      return globalKey(state, action, key.at);
  }
}

function doMeant(press: LinkPress): Reaction {
  const {state, view, request, key, action} = press;
  const index = action === 'confirm' ? view.selected : Number(key.name) - 1;
  const open = perform({kind: 'open_link', key: state.active, id: request.id});
  const answered = emitEvent({type: 'request_answered'});
  const answer = (kind: 'declined' | 'cancelled' | 'done') =>
    combine(answered, callAction(state.active, 'answer', request.id, {kind}));
  const choice = linkChoices(request)[index];
  switch (choice) {
    case undefined:
      return nothing;
    case 'open':
      return notYetAllowed(press) ?? combine(answered, open);
    case 'open_again':
      return open;
    case 'give_up':
      return combine(answer('done'), isAtWork(state) ? callAction(state.active, 'cancel') : nothing);
    default:
      return answer(choice);
  }
}

interface PermissionPress extends ActionPress {
  readonly request: PendingPermission;
}

/** Keys while a permission request has the focus. Text that is not bound goes to the prompt. */
export function permissionKey(
  {state, view, request}: Omit<PermissionPress, 'key' | 'action'>,
  pressed: KeyEvent,
): Reaction {
  const found = keyOfChoice('request', {state, view}, pressed);
  if ('step' in found) return found.step;
  const {action, key} = found;
  const press = {state, view, request, key, action};
  switch (action) {
    case 'choose_previous':
      return selectBy(-1, view, answersOf(request));
    case 'choose_next':
      return selectBy(1, view, answersOf(request));
    case 'explain':
      return emitEvent({type: 'overlay_opened', overlay: requestPage(request, state.keymap)});
    case 'view_request':
      return viewCall(state, request);
    case 'unlock_allowing':
      return unlock(press);
    case 'edit_request':
      return editProposal(press);
    default:
      return isAnswering(action) ? giveAnswer(press, action) : globalKey(state, action, key.at);
  }
}

/** Shows the transcript from the call on, with the complete request below it. */
function viewCall(state: AppState, {toolCallId}: PendingPermission): Reaction {
  const id = toolCall(activeSession(state).session, toolCallId)?.id;
  const viewer =
    id === undefined ? openedViewer : {...openedViewer, position: {from: 'entry', id, rows: 0} as const};
  return emitEvent(
    {type: 'session_activated', key: state.active},
    {type: 'overlay_opened', overlay: {kind: 'transcript'}, viewer},
  );
}

const ANSWERING = [
  'confirm',
  'choose_by_number',
  'allow_once',
  'allow_always',
  'allow_by_rule',
  'reject_once',
  'reject_always',
  'reject_with_note',
] as const satisfies readonly Action[];

type AnsweringAction = (typeof ANSWERING)[number];

function isAnswering(action: Action): action is AnsweringAction {
  return ANSWERING.some((other) => other === action);
}

/** Gives the answer of a key; without one, says so to a key that counts. */
function giveAnswer(press: PermissionPress, action: AnsweringAction): Reaction {
  const {request, key} = press;
  const answer = answerFor(action, press);
  switch (answer?.kind) {
    case 'option':
      return giveOption(press, answer.index);
    case 'rule':
      return allowByRule(press);
    case 'note':
      return guardKey(press, 'reject') ?? moveFocus({kind: 'note', id: request.id}, key.at);
    // An agent that offers no way to reject is told that the request was cancelled.
    case 'cancel':
      return guardKey(press, 'reject') ?? answered(press, {kind: 'cancelled'});
    case undefined: {
      const tooSoon = guardKey(press, action === 'reject_with_note' ? 'reject' : 'allow');
      return tooSoon ?? toast(WHY_NONE[action] ?? 'No answer has this key; select one by number.', key.at);
    }
  }
}

const WHY_NONE: Readonly<Partial<Record<AnsweringAction, string>>> = {
  allow_by_rule: 'No rule is offered for this; /permissions adds any rule.',
  reject_with_note: 'The agent offers no "reject once"; select an answer.',
};

function answerFor(action: AnsweringAction, {request, view, key}: PermissionPress): Answer | undefined {
  const answers = answersOf(request);
  if (action === 'confirm') return answers[view.selected];
  if (action === 'choose_by_number') return answers[Number(key.name) - 1];
  const isNo = action === 'reject_once' || action === 'reject_always';
  return answers.find((answer) => answer.action === action || (isNo && answer.kind === 'cancel'));
}

function giveOption(press: PermissionPress, index: number): Reaction {
  const option = press.request.options[index];
  const refuses = option !== undefined && isRefusing(option);
  const tooSoon = guardKey(press, refuses ? 'reject' : 'allow');
  const notYet = refuses ? undefined : notYetAllowed(press);
  return tooSoon ?? notYet ?? answered(press, {kind: 'option', index});
}

/** Not an option of the agent: allows once, and adds the suggested rule. */
function allowByRule(press: PermissionPress): Reaction {
  return guardKey(press) ?? notYetAllowed(press) ?? ruleNotShown(press) ?? answered(press, {kind: 'rule'});
}

function answered({state, request, key}: PermissionPress, answer: PermissionAnswer): Reaction {
  const pressed = combinationOf(key);
  const seen = {changes: request.changes, ...(pressed !== undefined && {key: pressed})};
  return combine(
    emitEvent({type: 'request_answered'}),
    callAction(
      state.active,
      'answer',
      request.id,
      answer.kind === 'cancelled' ? answer : {...answer, ...seen},
    ),
  );
}

function editProposal(press: PermissionPress): Reaction {
  const {state, request, key} = press;
  const tooSoon = guardKey(press);
  if (tooSoon) return tooSoon;
  const proposed = editableContent(request);
  if (!proposed) return toast(whyNotEditable(request) ?? TOO_SOON, key.at);
  const {path, text} = proposed;
  return openProposal(state, {id: request.id, changes: request.changes, path}, text);
}

/** Handles keys common to requests with options; undefined for other keys. */
function keyOfChoice(
  context: 'request' | 'link',
  {state, view}: Omit<RequestKeyPress, 'key'>,
  key: KeyEvent,
): {readonly step: Reaction} | {readonly action: Action; readonly key: KeyPress} {
  if (key.kind === 'paste') return {step: typeIntoPrompt(state, key)};
  const action = actionFor(context, key, state.keymap);
  if (action === undefined) return {step: key.text === '' ? nothing : typeIntoPrompt(state, key)};
  const firstRow = readBy(action, view);
  return firstRow === undefined ? {action, key} : {step: emitEvent({type: 'request_scrolled', firstRow})};
}

/** Moves the selection by a number of options, wrapping around. */
function selectBy(by: number, {selected}: RequestView, options: readonly unknown[]): Reaction {
  return patchRequest({selected: (selected + by + options.length) % options.length});
}

/** A key that was pressed while a request has the focus. */
export interface RequestKeyPress {
  readonly state: AppState;
  readonly view: RequestView;
  readonly key: KeyPress;
}

/** Returns what to do with a key that does not count for the request; undefined if it does. */
export function guardKey(
  {state, view, key}: RequestKeyPress,
  purpose: KeyPurpose = 'allow',
): Reaction | undefined {
  switch (judgeKey(view.phase, {purpose, key, lastKey: state.lastKey})) {
    case 'counts':
      return undefined;
    case 'for_prompt':
      return typeIntoPrompt(state, key);
    case 'too_soon':
      return combine(emitEvent({type: 'request_guarded', purpose, at: key.at}), toast(TOO_SOON, key.at));
    case 'ignored':
      return nothing;
  }
}

interface ActionPress extends RequestKeyPress {
  /** What the key does. */
  readonly action: Action;
}

/** A request that a key would allow. */
interface ToAllow extends ActionPress {
  readonly request: PendingRequest;
}

/** Returns what to do with a key that would allow something unread, or with hidden characters; undefined if it may. */
function notYetAllowed(press: ToAllow): Reaction | undefined {
  const {view, request, action} = press;
  const isLocked = isDeceptive(request) && (action === 'confirm' || !isUnlocked(view.phase));
  return notYetRead(press) ?? (isLocked ? requireUnlock(press) : undefined);
}

function notYetRead(asked: ToAllow): Reaction | undefined {
  const {state, view, request} = asked;
  const reading = readingOf(request, view, state.requireReading);
  return reading.left > 0 ? scrollToUnread(asked, reading) : undefined;
}

/** Shows which keys allow a request with hidden characters: a combination that is not pressed by accident. */
function requireUnlock({state: {keymap}, key}: Pick<RequestKeyPress, 'state' | 'key'>): Reaction {
  return toast(`${unlockSentence(keymap)} ${keyFor('confirm', keymap)} does not allow it.`, key.at);
}

/** Handles the first of the two keys that allow a request with hidden characters. */
function unlock(press: ToAllow): Reaction {
  if (!isDeceptive(press.request)) return nothing;
  return guardKey(press) ?? notYetRead(press) ?? emitEvent({type: 'request_unlocked'});
}

/** Shows the suggested rule, which can be accepted only once it was visible; undefined if it was. */
function ruleNotShown({view, request, key}: PermissionPress): Reaction | undefined {
  const unseen = unseenOfRule(view);
  if (unseen === undefined) return undefined;
  const text = 'The rule was not visible yet: read it, then press the key again.';
  const show =
    unseen === 'its answer'
      ? patchRequest({selected: answersOf(request).findIndex(({kind}) => kind === 'rule')})
      : emitEvent({type: 'request_scrolled', firstRow: unseen});
  return combine(show, toast(text, key.at));
}

/** Scrolls to the next unread part; the request shows how much is left. */
function scrollToUnread({state, key}: ToAllow, {next}: Reading): Reaction {
  const more = `Read the rest before allowing: ${pageKeys(state.keymap)} scrolls.`;
  return combine(emitEvent({type: 'request_scrolled', firstRow: next}), toast(more, key.at));
}

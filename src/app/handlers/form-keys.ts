import type {PendingForm} from '../../session/state.ts';
import {editDraft, isEditAction, type EditAction} from '../editor/edit.ts';
import {insertText} from '../editor/insert.ts';
import {callAction, emitEvent, nothing, perform, combine, type Reaction} from '../effects.ts';
import {insideColumns} from '../editor/layout.ts';
import type {KeyEvent, KeyPress} from '../input/keys.ts';
import {actionFor, type Action} from '../keymap/keymap.ts';
import {firstRowAfterScroll} from '../pages/scroll.ts';
import {
  readAnswers,
  chooseHere,
  chooseNumber,
  isOneChoice,
  listAt,
  moveOn,
  withProblems,
  chooseNeighbor,
  clearChoice,
  moveCursor,
  withDraft,
  withFilter,
} from '../requests/form-values.ts';
import {formFor, buttonAt, buttonsOf, fieldColumns, hasFilter, untouchedForm} from '../requests/form.ts';
import {activeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {globalKey} from './global-keys.ts';
import {typeIntoPrompt} from './prompt-keys.ts';
import {eraseLast} from './picker-keys.ts';
import {guardKey, type RequestKeyPress} from './request-keys.ts';
import {judgeKey} from '../requests/request-phase.ts';
import type {FormState} from '../requests/form-state.ts';

interface FormPress extends Omit<RequestKeyPress, 'key'> {
  readonly request: PendingForm;
}

interface Filling extends FormPress {
  readonly form: FormState;
  readonly key: KeyPress;
}

/** Keys while a form has the focus. Nothing typed here reaches the prompt, or is sent before the form is. */
export function formKey(press: FormPress, key: KeyEvent): Reaction {
  const {state, request, view} = press;
  const form = formFor(activeSession(state), request);
  if (key.kind === 'paste') return paste({...press, form}, key);
  const edited = editForm(form, key, state);
  const action = actionFor('form', key, state.keymap);
  const own = OWN.find((own) => own === action);
  if (edited === undefined && own === undefined) return globalKey(state, action, key.at);
  // Ignored while the form has not been drawn; but typed text must not be lost.
  if (view.phase.kind === 'unseen' && key.text !== '') return typeIntoPrompt(state, key);
  // Holding Enter would move from field to field and submit the form.
  const mayAnswer =
    own === 'confirm' ||
    own === 'send_form' ||
    own === 'choose_here' ||
    (own === 'choose_by_number' && isOneChoice(form));
  const tooSoon = guardKey({state, view, key}, mayAnswer ? 'allow' : 'fill');
  if (tooSoon) return tooSoon;
  const filling = {...press, form, key};
  if (edited !== undefined) return changed(filling, edited);
  return own === undefined ? nothing : doAction(filling, own);
}

const OWN = [
  'next_field',
  'previous_field',
  'choose_previous',
  'choose_next',
  'choose_by_number',
  'choose_here',
  'confirm',
  'send_form',
  'scroll_page_up',
  'scroll_page_down',
] as const satisfies readonly Action[];

function doAction(filling: Filling, action: (typeof OWN)[number]): Reaction {
  const {form, key, view, state} = filling;
  switch (action) {
    case 'next_field':
      return changed(filling, moveOn(form, 1));
    case 'previous_field':
      return changed(filling, moveOn(form, -1));
    case 'choose_previous':
      return changed(filling, upOrDown(form, -1, state));
    case 'choose_next':
      return changed(filling, upOrDown(form, 1, state));
    case 'choose_by_number':
      return answeredBy(filling, chooseNumber(form, Number(key.name)));
    case 'choose_here':
      return buttonAt(form) ? pressButton(filling) : changed(filling, chooseHere(form));
    case 'confirm':
      if (buttonAt(form)) return pressButton(filling);
      return isOneChoice(form)
        ? answeredBy(filling, chooseHere(form))
        : changed(filling, moveOn(withSelection(form), 1));
    case 'send_form':
      return send(filling);
    case 'scroll_page_up':
    case 'scroll_page_down': {
      const firstRow = firstRowAfterScroll(action, view.scroll) ?? 0;
      return combine(
        changed(filling, {...form, follows: false}),
        emitEvent({type: 'request_scrolled', firstRow}),
      );
    }
  }
}

/** An option that answers the whole form submits it. */
function answeredBy(filling: Filling, form: FormState): Reaction {
  const isAnswered = form !== filling.form && isOneChoice(form);
  if (!isAnswered) return changed(filling, form);
  return combine(changed(filling, form), emitEvent({type: 'request_answered'}), send({...filling, form}));
}

/** Enter selects the option under the cursor. */
function withSelection(form: FormState): FormState {
  const {field} = listAt(form);
  return field && field.type !== 'choices' ? chooseHere(form) : form;
}

function paste(
  press: FormPress & {readonly form: FormState},
  key: Extract<KeyEvent, {kind: 'paste'}>,
): Reaction {
  const {state, view, form} = press;
  if (view.phase.kind === 'answered') return nothing;
  if (judgeKey(view.phase, {purpose: 'fill', key, lastKey: undefined}) !== 'counts')
    return typeIntoPrompt(state, key);
  return changed(press, insertInto(form, key.text));
}

function pressButton(filling: Filling): Reaction {
  const {state, request, form} = filling;
  const button = buttonAt(form);
  if (button === 'accept') return send(filling);
  const kind = button === 'decline' ? 'declined' : 'cancelled';
  const of = {key: state.active, id: request.id};
  return combine(
    // Dropped on purpose: what is typed stays otherwise.
    emitEvent({type: 'form_changed', ...of, form: untouchedForm(request)}, {type: 'request_answered'}),
    callAction(of.key, 'answer', of.id, {kind}),
  );
}

function send(filling: Filling): Reaction {
  const {state, request, form, key} = filling;
  if (!buttonsOf(form).includes('accept'))
    return toast('This form has a field that cannot be filled in here: decline or cancel it.', key.at);
  const answers = readAnswers(form);
  if (answers.ok)
    return perform({kind: 'submit_form', key: state.active, id: request.id, content: answers.content});
  const count = answers.problems.size;
  return combine(
    changed(filling, withProblems(form, answers.problems)),
    toast(count === 1 ? '1 field needs attention' : `${count} fields need attention`, key.at),
  );
}

function changed(
  {state, request, form: before}: FormPress & {readonly form: FormState},
  form: FormState,
): Reaction {
  return form === before
    ? nothing
    : emitEvent({type: 'form_changed', key: state.active, id: request.id, form});
}

/** Handles typing and editing in the focused field, with the keys of the prompt; undefined for other keys. */
function editForm(form: FormState, key: KeyPress, {keymap}: Pick<AppState, 'keymap'>): FormState | undefined {
  const action = actionFor('prompt', key, keymap);
  const edit = action !== undefined && isEditAction(action) ? action : undefined;
  const input = form.inputs[form.at];
  if (input?.kind === 'list') return editList(form, edit, key.text);
  if (input?.kind !== 'text') return buttonAt(form) && edit ? moveAmongButtons(form, edit) : undefined;
  if (key.text !== '') return insertInto(form, key.text);
  if (action === 'leave_when_empty') return withDraft(form, editDraft(input.draft, 'delete_forward'));
  if (edit === undefined || edit === 'up_or_earlier' || edit === 'down_or_later') return undefined;
  if (edit === 'new_line' && !takesLines(form)) return form;
  return withDraft(form, editDraft(input.draft, edit));
}

/** Inserts text at the caret of the focused field; returns the same form if it cannot be typed into. */
function insertInto(form: FormState, text: string): FormState {
  const input = form.inputs[form.at];
  if (input?.kind !== 'text') return form;
  const line = takesLines(form) ? text : text.replace(/(?<![\r\n])[\r\n]+$/, '').replaceAll(/[\r\n]+/g, ' ');
  return withDraft(form, insertText(input.draft, line));
}

/** Moves within a list or a text with several rows, otherwise to the next field. */
function upOrDown(form: FormState, by: 1 | -1, {screenColumns = Infinity}: Partial<AppState>): FormState {
  const input = form.inputs[form.at];
  if (input?.kind === 'list') return moveCursor(form, by) ?? moveOn(form, by);
  if (input?.kind !== 'text') return moveOn(form, by);
  const edit = by === -1 ? 'up_or_earlier' : 'down_or_later';
  const draft = editDraft(input.draft, edit, {columns: fieldColumns(insideColumns(screenColumns))});
  return draft === input.draft ? moveOn(form, by) : withDraft(form, draft);
}

function editList(form: FormState, edit: EditAction | undefined, text: string): FormState | undefined {
  const {field, input} = listAt(form);
  if (!field || !input) return undefined;
  switch (edit) {
    case 'move_left':
      return chooseNeighbor(form, -1);
    case 'move_right':
      return chooseNeighbor(form, 1);
    case 'kill_to_line_start':
      return withFilter(form, '');
    case 'delete_backward':
    case 'delete_forward':
      return input.filter === '' ? clearChoice(form) : withFilter(form, eraseLast(input.filter));
    default:
      if (hasFilter(field)) return text.trim() === '' ? undefined : withFilter(form, input.filter + text);
      // Digits typed so fast that they arrived together.
      return /^\d{2,}$/.test(text) ? text.split('').map(Number).reduce(chooseNumber, form) : undefined;
  }
}

function moveAmongButtons(form: FormState, edit: EditAction): FormState | undefined {
  if (edit === 'move_left') return moveOn(form, -1);
  return edit === 'move_right' ? moveOn(form, 1) : undefined;
}

/** Only text without a format may have several lines. */
function takesLines({fields, at}: FormState): boolean {
  const field = fields[at];
  return field?.type === 'text' && field.format === undefined && !field.secret;
}

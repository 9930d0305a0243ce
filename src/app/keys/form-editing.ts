import {isEditAction, type EditAction} from '../edit-actions.ts';
import {fieldColumns} from '../forms/columns.ts';
import {
  chooseNeighbour,
  chooseNumber,
  clearChoice,
  listAt,
  moveCursor,
  moveOn,
  withDraft,
  withFilter,
} from '../forms/fill.ts';
import {buttonAt, hasFilter, type FormState} from '../forms/form.ts';
import type {KeyPress} from '../input/key-event.ts';
import {actionFor} from '../keymap.ts';
import {editDraft} from '../prompt/edit.ts';
import {insertText} from '../prompt/insert.ts';
import type {AppState} from '../state.ts';

/** What a key types or edits in the field that has the keyboard, with the keys of the prompt; undefined when it does neither. */
export function editForm(
  form: FormState,
  key: KeyPress,
  {keymap}: Pick<AppState, 'keymap'>,
): FormState | undefined {
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

/** Text at the caret of the field that has the keyboard; the same form where nothing can be typed. */
export function insertInto(form: FormState, text: string): FormState {
  const input = form.inputs[form.at];
  if (input?.kind !== 'text') return form;
  const line = takesLines(form) ? text : text.replace(/[\r\n]+$/, '').replaceAll(/[\r\n]+/g, ' ');
  return withDraft(form, insertText(input.draft, line));
}

/** Within a list or a text with several rows, otherwise to the next field. */
export function upOrDown(
  form: FormState,
  by: 1 | -1,
  {draftColumns = Infinity}: Partial<AppState>,
): FormState {
  const input = form.inputs[form.at];
  if (input?.kind === 'list') return moveCursor(form, by) ?? moveOn(form, by);
  if (input?.kind !== 'text') return moveOn(form, by);
  const edit = by === -1 ? 'up_or_earlier' : 'down_or_later';
  const draft = editDraft(input.draft, edit, {columns: fieldColumns(draftColumns)});
  return draft === input.draft ? moveOn(form, by) : withDraft(form, draft);
}

function editList(form: FormState, edit: EditAction | undefined, text: string): FormState | undefined {
  const {field, input} = listAt(form);
  if (!field || !input) return undefined;
  switch (edit) {
    case 'move_left':
      return chooseNeighbour(form, -1);
    case 'move_right':
      return chooseNeighbour(form, 1);
    case 'kill_to_line_start':
      return withFilter(form, '');
    case 'delete_backward':
    case 'delete_forward':
      return input.filter === '' ? clearChoice(form) : withFilter(form, input.filter.slice(0, -1));
    default:
      if (hasFilter(field)) return text.trim() === '' ? undefined : withFilter(form, input.filter + text);
      // Typed so fast that they came together.
      return /^\d{2,}$/.test(text) ? text.split('').map(Number).reduce(chooseNumber, form) : undefined;
  }
}

function moveAmongButtons(form: FormState, edit: EditAction): FormState | undefined {
  if (edit === 'move_left') return moveOn(form, -1);
  return edit === 'move_right' ? moveOn(form, 1) : undefined;
}

/** Only a text of no format may have several lines. */
function takesLines({fields, at}: FormState): boolean {
  const field = fields[at];
  return field?.type === 'text' && field.format === undefined && !field.secret;
}

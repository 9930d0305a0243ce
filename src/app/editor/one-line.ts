import {actionFor, type Keymap} from '../keymap/keymap.ts';
import type {KeyEvent} from '../input/keys.ts';
import type {Draft} from './draft.ts';
import {editDraft, isEditAction} from './edit.ts';
import {insertText} from './insert.ts';
import {cleanInput} from './pastes.ts';

/** Returns typed text as a single line. */
export function oneLine(text: string): string {
  return cleanInput(text).replaceAll(/\s+/g, ' ');
}

/** Edits a draft of a single line with the keys of the prompt; undefined for other keys. */
export function editOneLine(draft: Draft, key: KeyEvent, keymap: Keymap): Draft | undefined {
  if (key.kind === 'paste' || key.text !== '') return insertText(draft, oneLine(key.text));
  const action = actionFor('prompt', key, keymap);
  const edit = action === 'leave_when_empty' ? 'delete_forward' : action;
  const isEdit = edit !== undefined && isEditAction(edit) && edit !== 'new_line';
  return isEdit ? editDraft(draft, edit) : undefined;
}

export const editActions = [
  'new_line',
  'move_left',
  'move_right',
  'move_word_left',
  'move_word_right',
  'move_line_start',
  'move_line_end',
  'move_row_start',
  'move_row_end',
  'move_start',
  'move_end',
  'up_or_earlier',
  'down_or_later',
  'delete_backward',
  'delete_forward',
  'kill_word_backward',
  'kill_blank_word_backward',
  'kill_word_forward',
  'kill_to_line_start',
  'kill_to_line_end',
  'transpose_characters',
  'transpose_words',
  'yank',
  'yank_earlier',
  'undo',
  'redo',
  'expand_paste',
] as const;

/** The actions that change the draft, all handled by `editDraft`. */
export type EditAction = (typeof editActions)[number];

/** True if an action of the keymap edits the draft. */
export function isEditAction(action: string): action is EditAction {
  return (editActions as readonly string[]).includes(action);
}

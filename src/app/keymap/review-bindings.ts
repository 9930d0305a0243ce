/** While changes are reviewed. */
export const reviewKeys = {
  scroll_line_up: ['up', 'k', 'ctrl+p'],
  scroll_line_down: ['down', 'j', 'ctrl+n'],
  next_hunk: ['right', ']'],
  previous_hunk: ['left', '['],
  next_file: ['tab'],
  previous_file: ['shift+tab'],
  accept_hunk: ['a'],
  accept_file: ['shift+a'],
  revert_hunk: ['x'],
  revert_file: ['shift+x'],
  undo_review: ['u'],
  comment: ['c'],
  select_lines: ['v'],
  send_comments: ['ctrl+s'],
  edit_at_line: ['e'],
  side_by_side: ['d'],
  next_range: ['r'],
  read_again: ['shift+r'],
  search: ['/'],
  next_hit: ['n'],
  previous_hit: ['shift+n'],
  scroll_page_up: ['pageup'],
  scroll_page_down: ['pagedown', 'space'],
  scroll_start: ['home', 'g'],
  scroll_end: ['end', 'shift+g'],
  close: ['q'],
} as const;

/** Actions that only exist there. */
export type ReviewAction = Exclude<
  keyof typeof reviewKeys,
  'close' | 'search' | `${'next' | 'previous'}_hit` | `scroll_${string}`
>;

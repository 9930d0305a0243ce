/* The usual keys of the lists; keymap.ts has all others. */

const filterKeys = {
  filter_erase: ['backspace', 'ctrl+h'],
  filter_clear: ['ctrl+u'],
  scroll_page_up: ['pageup'],
  scroll_page_down: ['pagedown'],
  scroll_start: ['home'],
  scroll_end: ['end'],
} as const;

export const pickerKeys = {
  choose_previous: ['up', 'ctrl+p'],
  choose_next: ['down', 'ctrl+n'],
  confirm: ['enter', 'tab'],
  ...filterKeys,
} as const;

/** Beside those of any list. */
export const signInKeys = {
  choose_by_number: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
} as const;

export const mcpKeys = {
  choose_previous: ['up', 'ctrl+p'],
  choose_next: ['down', 'ctrl+n'],
  switch_server: ['space', 'enter'],
  ...filterKeys,
} as const;

export const historyKeys = {
  choose_next: ['down', 'ctrl+r', 'ctrl+n'],
  choose_previous: ['up', 'ctrl+s', 'ctrl+p'],
  confirm: ['enter'],
  switch_scope: ['tab'],
  ...filterKeys,
} as const;

export const sessionKeys = {
  choose_next: ['down', 'ctrl+n'],
  choose_previous: ['up', 'ctrl+p'],
  confirm: ['enter'],
  switch_scope: ['tab'],
  ask_agents: ['ctrl+a'],
  fork_session: ['ctrl+f'],
  delete_session: ['ctrl+d', 'delete'],
  archive_session: ['ctrl+e'],
  ...filterKeys,
} as const;

import type {Bindings} from './keymap.ts';

/** While a permission is asked for. */
export const requestKeys: Bindings = {
  choose_previous: ['up', 'ctrl+p'],
  choose_next: ['down', 'ctrl+n'],
  choose_by_number: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
  confirm: ['enter'],
  allow_once: ['y'],
  allow_always: ['a'],
  allow_by_rule: ['p'],
  reject_once: ['n'],
  reject_always: ['d'],
  reject_with_note: ['r'],
  unlock_allowing: ['tab'],
  explain: ['?'],
  scroll_page_up: ['pageup'],
  scroll_page_down: ['pagedown', 'space'],
  scroll_start: ['home'],
  scroll_end: ['end'],
};

/** While a form is filled in. */
export const formKeys: Bindings = {
  next_field: ['tab'],
  previous_field: ['shift+tab'],
  choose_previous: ['up', 'ctrl+p'],
  choose_next: ['down', 'ctrl+n'],
  choose_by_number: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
  choose_here: ['space'],
  confirm: ['enter'],
  send_form: ['ctrl+s'],
  scroll_page_up: ['pageup'],
  scroll_page_down: ['pagedown'],
};

/** While an address is to be opened. */
export const linkKeys: Bindings = {
  choose_previous: ['up', 'ctrl+p'],
  choose_next: ['down', 'ctrl+n'],
  choose_by_number: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
  confirm: ['enter'],
  unlock_allowing: ['tab'],
  copy_text: ['c'],
  scroll_page_up: ['pageup'],
  scroll_page_down: ['pagedown', 'space'],
  scroll_start: ['home'],
  scroll_end: ['end'],
};

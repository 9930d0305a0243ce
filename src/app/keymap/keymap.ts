import {memoize} from '../../session/memoize.ts';
import {combinationOf, type KeyPress} from '../input/keys.ts';
import type {descriptions} from './action-descriptions.ts';

/** All actions that can be bound to a key. */
export type Action = keyof typeof descriptions;

/** The combinations for each action in a context; hints show the first of each list. */
export type Bindings = Readonly<Partial<Record<Action, readonly string[]>>>;

/** All keys. Settings have the same shape, see `withBindings`. */
export type Keymap = Readonly<Record<Context, Bindings>>;

/** The context of a key press. `everywhere` applies last, after the context's own keys. */
export type Context = keyof typeof contexts;

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

const filterKeys = {
  filter_erase: ['backspace', 'ctrl+h'],
  filter_clear: ['ctrl+u'],
  scroll_page_up: ['pageup'],
  scroll_page_down: ['pagedown'],
  scroll_start: ['home'],
  scroll_end: ['end'],
} as const;

const contexts = {
  everywhere: {
    cancel_or_back: ['escape', 'ctrl+['],
    clear_cancel_or_leave: ['ctrl+c'],
    next_mode: ['shift+tab'],
    show_plan: ['ctrl+t'],
    more_keys: ['ctrl+x'],
    open_transcript: ['ctrl+o'],
    inspect_wire: ['ctrl+\\'],
    redraw: ['ctrl+l'],
    suspend: ['ctrl+z'],
  },
  prompt: {
    send: ['enter'],
    new_line: ['shift+enter', 'alt+enter', 'ctrl+j'],
    up_or_earlier: ['up', 'ctrl+p'],
    down_or_later: ['down', 'ctrl+n'],
    move_left: ['left', 'ctrl+b'],
    move_right: ['right', 'ctrl+f'],
    move_word_left: ['ctrl+left', 'alt+b', 'alt+left'],
    move_word_right: ['ctrl+right', 'alt+f', 'alt+right'],
    move_line_start: ['ctrl+a'],
    move_line_end: ['ctrl+e'],
    move_row_start: ['home'],
    move_row_end: ['end'],
    move_start: ['ctrl+home', 'alt+<'],
    move_end: ['ctrl+end', 'alt+>'],
    delete_backward: ['backspace', 'ctrl+h'],
    delete_forward: ['delete'],
    kill_blank_word_backward: ['ctrl+w'],
    kill_word_backward: ['alt+backspace', 'ctrl+backspace'],
    kill_word_forward: ['alt+d', 'alt+delete', 'ctrl+delete'],
    kill_to_line_start: ['ctrl+u'],
    kill_to_line_end: ['ctrl+k'],
    // In readline Ctrl+T; here it shows the plan.
    transpose_characters: [],
    transpose_words: ['alt+t'],
    yank: ['ctrl+y'],
    yank_earlier: ['alt+y'],
    undo: ['ctrl+_', 'ctrl+/'],
    redo: ['alt+_'],
    expand_paste: ['alt+e'],
    edit_externally: ['ctrl+g'],
    search_history: ['ctrl+r'],
    resend: ['alt+r'],
    edit_last_queued: ['alt+up'],
    paste_clipboard: ['ctrl+v', 'alt+v'],
    send_now: ['ctrl+enter'],
    stash_draft: ['ctrl+s'],
    choose_model: ['alt+p'],
    choose_speed: ['alt+s'],
    lower_effort: ['alt+,'],
    raise_effort: ['alt+.'],
    transcript_page_up: ['pageup'],
    transcript_page_down: ['pagedown'],
    transcript_line_up: ['shift+up'],
    transcript_line_down: ['shift+down'],
    transcript_start: ['shift+home'],
    transcript_end: ['shift+end'],
    focus_request: ['tab'],
    leave_when_empty: ['ctrl+d'],
    help_when_empty: ['?'],
  },
  queue: {
    choose_previous: ['up', 'ctrl+p'],
    choose_next: ['down', 'ctrl+n'],
    edit_queued: ['enter', 'e'],
    send_queued_now: ['s', 'ctrl+enter'],
    move_queued_up: ['alt+up', 'ctrl+up'],
    move_queued_down: ['alt+down', 'ctrl+down'],
    remove_queued: ['x', 'delete'],
  },
  // While a permission request has the focus.
  request: {
    choose_previous: ['up'],
    choose_next: ['down'],
    choose_by_number: DIGITS,
    confirm: ['enter'],
    allow_once: ['y'],
    allow_always: ['a'],
    allow_by_rule: ['p'],
    reject_once: ['n'],
    reject_always: ['d'],
    reject_with_note: ['r'],
    edit_request: ['e'],
    unlock_allowing: ['tab'],
    explain: ['?'],
    view_request: ['v'],
    scroll_page_up: ['pageup'],
    scroll_page_down: ['pagedown', 'space'],
    scroll_start: ['home'],
    scroll_end: ['end'],
  },
  // While a form has the focus, in addition to the keys that edit a text.
  form: {
    next_field: ['tab'],
    previous_field: ['shift+tab'],
    choose_previous: ['up', 'ctrl+p'],
    choose_next: ['down', 'ctrl+n'],
    choose_by_number: DIGITS,
    choose_here: ['space'],
    confirm: ['enter'],
    send_form: ['ctrl+s'],
    scroll_page_up: ['pageup'],
    scroll_page_down: ['pagedown'],
  },
  // While a URL request has the focus.
  link: {
    choose_previous: ['up'],
    choose_next: ['down'],
    choose_by_number: DIGITS,
    confirm: ['enter'],
    unlock_allowing: ['tab'],
    copy_text: ['c'],
    scroll_page_up: ['pageup'],
    scroll_page_down: ['pagedown', 'space'],
    scroll_start: ['home'],
    scroll_end: ['end'],
  },
  picker: {
    choose_previous: ['up', 'ctrl+p'],
    choose_next: ['down', 'ctrl+n'],
    confirm: ['enter', 'tab'],
    ...filterKeys,
  },
  // In addition to those of any list.
  sign_in: {choose_by_number: DIGITS},
  history: {
    choose_next: ['down', 'ctrl+r', 'ctrl+n'],
    choose_previous: ['up', 'ctrl+s', 'ctrl+p'],
    confirm: ['enter'],
    switch_scope: ['tab'],
    ...filterKeys,
  },
  sessions: {
    choose_next: ['down', 'ctrl+n'],
    choose_previous: ['up', 'ctrl+p'],
    confirm: ['enter'],
    switch_scope: ['tab'],
    switch_print_runs: ['ctrl+r'],
    session_actions: ['right'],
    ask_agents: ['ctrl+a'],
    fork_session: ['ctrl+f'],
    delete_session: ['ctrl+d', 'delete'],
    archive_session: ['ctrl+e'],
    ...filterKeys,
  },
  // While the board is open, beside the keys that edit a text.
  board: {
    choose_previous: ['up', 'ctrl+p'],
    choose_next: ['down', 'ctrl+n'],
    scroll_page_up: ['pageup'],
    scroll_page_down: ['pagedown'],
    confirm: ['enter'],
    focus_request: ['tab'],
    reply: ['space'],
    filter_sessions: ['/'],
    more_hints: ['?'],
    group_sessions: ['alt+g'],
    choose_next_agent: ['alt+a'],
    choose_next_folder: ['alt+o'],
    choose_next_level: ['alt+l'],
    switch_next_worktree: ['alt+w'],
    switch_next_sandbox: ['alt+s'],
  },
  tasks: {
    choose_previous: ['up', 'ctrl+p'],
    choose_next: ['down', 'ctrl+n'],
    confirm: ['enter', 'tab'],
    cancel_task: ['ctrl+d', 'delete'],
    ...filterKeys,
  },
  mcp: {
    choose_previous: ['up', 'ctrl+p'],
    choose_next: ['down', 'ctrl+n'],
    switch_server: ['space', 'enter'],
    ...filterKeys,
  },
  replay: {
    replay_pause: ['space'],
    replay_step: ['right', 's'],
    replay_next_turn: ['enter', 'n'],
    replay_faster: ['+'],
    replay_slower: ['-'],
    leave_replay: ['q', 'ctrl+d'],
  },
  overlay: {
    scroll_line_up: ['up', 'k', 'ctrl+p'],
    scroll_line_down: ['down', 'j', 'ctrl+n'],
    scroll_page_up: ['pageup'],
    scroll_page_down: ['pagedown', 'space'],
    scroll_start: ['home', 'g'],
    scroll_end: ['end', 'shift+g'],
    copy_text: ['c'],
    close: ['q', 'enter'],
  },
  // In addition to those of any page.
  transcript: {
    search: ['/'],
    next_hit: ['n'],
    previous_hit: ['shift+n'],
    fold_all: ['f'],
    fold_one: ['tab'],
    previous_prompt: ['['],
    next_prompt: [']'],
    previous_call: ['{'],
    next_call: ['}'],
    previous_failure: ['('],
    next_failure: [')'],
    enter_subagent: ['right', 'o'],
    leave_subagent: ['left', 'b'],
    cancel_subagent: ['x'],
    open_content: ['v'],
    more_hints: ['?'],
  },
  // While changes are reviewed.
  review: {
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
    commit_accepted: ['shift+c'],
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
    more_hints: ['?'],
    close: ['q'],
  },
  // After the leader key. The last one: the first key of an action is one that works by itself.
  more: {
    open_palette: ['p'],
    send_now: ['enter'],
    new_session: ['n'],
    detach: ['d'],
    show_sessions: ['s'],
    show_open_sessions: ['b'],
    show_session: DIGITS,
    give_keyboard: ['i'],
    stop_command: ['k'],
    show_waiting: ['a'],
    show_subagents: ['g'],
    show_tasks: ['t'],
    open_content: ['o'],
    edit_externally: ['e', 'ctrl+e'],
    copy_answer: ['y'],
    show_review: ['r'],
    toggle_full_screen: ['f'],
    toggle_side_panel: ['l'],
  },
} satisfies Readonly<Record<string, Bindings>>;

export const defaultKeymap: Keymap = contexts;

/** Returns the action of each key in a context. */
const indexOf = memoize((bindings: Bindings): ReadonlyMap<string, Action> => {
  const pairs = Object.entries(bindings) as [Action, readonly string[]][];
  return new Map(pairs.flatMap(([action, keys]) => keys.map((key) => [key, action] as const)));
});

/** Returns the keymap with some lists replaced; an empty list unbinds an action. */
export function withBindings(keymap: Keymap, changes: Partial<Keymap>): Keymap {
  const merged = {...keymap};
  for (const context of Object.keys(changes) as Context[])
    merged[context] = {...keymap[context], ...changes[context]};
  return merged;
}

/** Returns the action of a key in a context; undefined for text and unbound keys. */
export function actionFor(
  context: Context,
  key: KeyPress,
  keymap: Keymap = defaultKeymap,
): Action | undefined {
  const combination = combinationOf(key);
  if (combination === undefined) return undefined;
  // An accidental Shift is ignored. Ctrl+Shift with a letter belongs to the terminal (copy, paste).
  const isTerminals = key.ctrl && key.name?.length === 1;
  const plain = isTerminals ? combination : combination.replace('shift+', '');
  const own = indexOf(keymap[context]);
  const everywhere = indexOf(keymap.everywhere);
  return own.get(combination) ?? everywhere.get(combination) ?? own.get(plain) ?? everywhere.get(plain);
}

/** Returns the combinations of an action in all contexts, the one to display first; empty if it is unbound. */
export function keysFor(action: Action, keymap: Keymap = defaultKeymap): readonly string[] {
  return [...new Set(Object.values(keymap).flatMap((bindings) => bindings[action] ?? []))];
}

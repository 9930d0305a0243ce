import type {BoardTyping} from '../board/board-view.ts';
import {asIfShown} from '../board/follow-board.ts';
import {argumentHint} from '../completion/menu.ts';
import type {Draft} from '../editor/draft.ts';
import {hintText, type Hint} from '../keymap/hints.ts';
import {keyFor} from '../keymap/key-names.ts';
import {isShell} from '../queue/shell-commands.ts';
import {activeDraft, activeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import type {SessionState} from '../../session/state.ts';
import {sanitizeLine} from '../../text/sanitize.ts';

/** Returns what is typed in the prompt, and what it says while it is empty. */
export function promptBox(state: AppState) {
  const {board, overlay, focus} = state;
  return {
    draft: promptDraft(state),
    /** True for a shell command: that must be visible before Enter. */
    isShell: !board && isShell(state),
    isFocused:
      (overlay.kind === 'none' || overlay.kind === 'first_keys') &&
      (focus.kind === 'prompt' || focus.kind === 'note'),
    /** The argument hint after the typed text. */
    expected: board ? undefined : argumentHint(state),
    ...invitation(state),
  };
}

/** What is typed: on the board the prompt of the next session, or the note of a rejection. */
function promptDraft(state: AppState): Draft {
  if (!state.board) return activeDraft(state);
  return state.focus.kind === 'note' ? activeDraft(asIfShown(state)) : state.board.draft;
}

const BOARD_PLACEHOLDERS: Readonly<Record<BoardTyping, string>> = {
  new: 'Describe a task for a new session',
  filter: 'Words of names or conversations',
  reply: 'A prompt for the selected session',
};

/** What can be typed first in a prompt. */
function firstHints({keymap}: AppState): readonly Hint[] {
  return [
    ['/', 'commands'],
    ['@', 'files'],
    ['!', 'shell'],
    [keyFor('help_when_empty', keymap), 'help'],
  ];
}

/** Returns what an empty prompt says. */
function invitation(state: AppState) {
  const placeholder = placeholderOf(state, activeSession(state).session);
  return placeholder === undefined
    ? {placeholder: 'Ask anything…', hints: firstHints(state)}
    : {placeholder, hints: []};
}

/** Undefined if there is nothing special to say. */
function placeholderOf(state: AppState, {connection, live}: SessionState): string | undefined {
  if (state.replay) return 'Replay (read-only)';
  if (state.focus.kind === 'note') return 'Why not?';
  if (state.board) return BOARD_PLACEHOLDERS[state.board.typing];
  if (state.focus.kind === 'queue') return 'Editing queue';
  if (state.focus.kind === 'command') return 'Typing into a command';
  switch (connection.kind) {
    case 'ready':
      return live?.suggestion !== undefined && state.promptSuggestions
        ? hintText([sanitizeLine(live.suggestion), [keyFor('focus_request', state.keymap), 'accept']])
        : undefined;
    case 'starting':
      return 'Starting… messages are queued';
    case 'authentication_required':
      return 'Not signed in: messages are queued';
    case 'no_session':
      return connection.failure
        ? 'No session open: messages are queued'
        : 'No session open: a message starts one';
    case 'closed':
      return 'This session has ended: /restart opens it again';
    case 'failed':
    case 'lost':
      return 'No agent running: messages are queued';
  }
}

import {showBoard} from '../board/follow-board.ts';
import {detach} from '../commands/session-commands.ts';
import {copy} from '../commands/transfer-commands.ts';
import {openEditor} from '../editor/external-editor.ts';
import {callAction, emitEvent, moveFocus, nothing, perform, combine, type Reaction} from '../effects.ts';
import {keyBytes, type KeyEvent, type KeyPress} from '../input/keys.ts';
import {actionFor, type Action} from '../keymap/keymap.ts';
import {applyToCommand, stopCommand} from '../pickers/command-choices.ts';
import {showContent} from '../pickers/content-picker.ts';
import {palettePicker} from '../pickers/palette.ts';
import {openPicker} from '../pickers/picker.ts';
import {showSubagents} from '../pickers/subagent-picker.ts';
import {showTasks} from '../pickers/task-picker.ts';
import {activeCommand} from '../queue/shell-commands.ts';
import {showReview} from '../review/show-review.ts';
import {activeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {sessionKeys} from '../open-sessions.ts';
import {sendFromBoard} from './board-keys.ts';
import {globalKey, keyForCovered} from './global-keys.ts';
import {showSessions} from '../pickers/session-picker.ts';
import {runCommand, sendNow} from './prompt-keys.ts';
import {sendQueuedNow} from './queue-keys.ts';

/** Handles the key after Ctrl+X. An unbound key closes the list. */
export function leaderKey(state: AppState, key: KeyPress, closed: Reaction): Reaction {
  const action = actionFor('more', key, state.keymap);
  const inHand = activeCommand(state);
  if (action === 'more_keys')
    return combine(closed, inHand ? typeInto(state, inHand.id, keyBytes(key)) : nothing);
  if (action === undefined) return closed;
  if (action === 'show_session') return combine(closed, showNumber(state, Number(key.name), key.at));
  const reaction = runLeaderAction(state, action, key.at);
  return reaction ? combine(closed, reaction) : globalKey(state, action, key.at);
}

/** Performs an action of the list after Ctrl+X; undefined for all other actions. */
export function runLeaderAction(state: AppState, action: Action, at: number): Reaction | undefined {
  const {board} = state;
  if (board && action === 'send_now') return sendFromBoard(state, board, at);
  const covered = keyForCovered(state, action, at);
  if (covered) return covered;
  const inHand = activeCommand(state);
  switch (action) {
    case 'send_now':
      return state.focus.kind === 'queue'
        ? sendQueuedNow(state, state.focus.id, at)
        : sendNow({...state, overlay: {kind: 'none'}}, at);
    case 'open_palette':
      return openPicker(palettePicker(state));
    case 'give_keyboard':
      return inHand ? moveFocus({kind: 'prompt'}, at) : applyToCommand(state, 'give_keyboard', at);
    case 'stop_command':
      return inHand
        ? stopCommand(activeSession(state), inHand, at)
        : applyToCommand(state, 'stop_command', at);
    case 'show_subagents':
      return showSubagents(state, at);
    case 'show_tasks':
      return showTasks(activeSession(state), at);
    case 'new_session':
      return perform({kind: 'open_beside', prompt: ''});
    case 'detach':
      return runCommand(state, detach, at);
    case 'show_sessions':
      return showSessions('folder');
    case 'show_open_sessions':
      return showBoard();
    case 'show_waiting':
      return perform({kind: 'show_waiting'});
    case 'edit_externally':
      return openEditor(state);
    case 'copy_answer':
      return runCommand(state, copy, at);
    case 'open_content':
      return showContent(activeSession(state), at);
    case 'show_review':
      return showReview(activeSession(state), {range: {kind: 'unreviewed'}, at});
    default:
      return undefined;
  }
}

function showNumber(state: AppState, number: number, at: number): Reaction {
  const keys = sessionKeys(state);
  const key = keys[number - 1];
  if (key !== undefined) return emitEvent({type: 'session_activated', key});
  return toast(keys.length === 1 ? 'Only one session is open.' : `${keys.length} sessions are open.`, at);
}

/** Keys while a command has the focus: all are sent to it, except the leader key. */
export function commandKey(state: AppState, key: KeyEvent, terminalId: string): Reaction {
  const isLeaderKey = key.kind === 'key' && actionFor('everywhere', key, state.keymap) === 'more_keys';
  if (isLeaderKey) return emitEvent({type: 'overlay_opened', overlay: {kind: 'more_keys'}});
  return typeInto(state, terminalId, keyBytes(key));
}

function typeInto(state: AppState, terminalId: string, text: string): Reaction {
  return callAction(state.active, 'typeInto', terminalId, text);
}

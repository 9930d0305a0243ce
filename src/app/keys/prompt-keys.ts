import {fold, nothing, perform, together, type Step} from '../effects.ts';
import {openEditor} from '../editor.ts';
import {historyPicker} from '../history-search.ts';
import {helpOverlay} from '../pages.ts';
import type {KeyEvent} from '../input/key-event.ts';
import {isEditAction, type EditAction} from '../edit-actions.ts';
import {actionFor, type Action} from '../keymap.ts';
import {menuOf} from '../menu.ts';
import {openPicker} from '../picker.ts';
import {editDraft, type EditOptions} from '../prompt/edit.ts';
import {isEmpty, type Draft} from '../prompt/draft.ts';
import {droppedPaths} from '../prompt/dropped-paths.ts';
import {insertPaste, insertText} from '../prompt/insert.ts';
import {pressVim} from '../prompt/vim/press.ts';
import {activeSession, draftInHand} from '../sessions.ts';
import type {AppState, Focus} from '../state.ts';
import {everywhere} from './everywhere.ts';
import {menuKey} from './menu-keys.ts';
import {isShell} from './shell-keys.ts';
import {pressSend, sendNow} from './submit.ts';

/** Keys while the draft, or the note of a refusal, has the keyboard. */
export function promptKey(state: AppState, key: KeyEvent): Step {
  const draft = draftInHand(state);
  if (key.kind === 'paste') return pasted(state, key.text, key.at);
  const action = actionFor('prompt', key, state.keymap);
  const isHelp = action === 'help_when_empty' && isEmpty(draft);
  const inVim = state.editing === 'vim' && !isHelp && pressVim(draft, key, editOptions(state));
  if (inVim) return edited(state, inVim, key.at);
  const menu = menuOf(state);
  const inMenu = menu && menuKey({state, menu, action, at: key.at});
  if (inMenu) return inMenu;
  return action === undefined
    ? edited(state, insertText(draft, key.text), key.at)
    : doInPrompt(state, action, key);
}

/** Does what an action does while the draft has the keyboard; `text` is what its key would type otherwise. */
export function doInPrompt(
  state: AppState,
  action: Action,
  key: {readonly text: string; readonly at: number},
): Step {
  const draft = draftInHand(state);
  switch (action) {
    case 'send':
      return pressSend(state, key.at);
    case 'help_when_empty':
      return isEmpty(draft) && state.focus.kind === 'prompt'
        ? fold({type: 'overlay_opened', overlay: helpOverlay})
        : edited(state, insertText(draft, key.text), key.at);
    case 'leave_when_empty':
      return leaveOrDelete(state, draft, key.at);
    case 'focus_request':
      return focusRequest(state, key.at);
    case 'edit_externally':
      return openEditor(state);
    case 'search_history':
      return state.focus.kind === 'prompt' ? openPicker(historyPicker(state.history, 'project')) : nothing;
    case 'paste_clipboard':
      return state.focus.kind === 'prompt' ? perform({kind: 'read_clipboard', key: state.active}) : nothing;
    case 'edit_last_queued':
      return editLastQueued(state, key.at) ?? nothing;
    case 'send_now':
      return sendNow(state, key.at);
    default:
      return isEditAction(action) ? edit(state, action, key.at) : everywhere(state, action, key.at);
  }
}

/** The key was meant for the prompt: what lies over it closes, the prompt gets the keyboard, and the key. */
export function typeIntoPrompt(state: AppState, key: KeyEvent): Step {
  const focus: Focus = state.focus.kind === 'note' ? state.focus : {kind: 'prompt'};
  const step = promptKey({...state, overlay: {kind: 'none'}, focus}, key);
  if (step === nothing) return nothing;
  const closed = state.overlay.kind === 'none' ? nothing : fold({type: 'overlay_closed', at: key.at});
  const moved = focus.kind === state.focus.kind ? nothing : fold({type: 'focus_changed', focus, at: key.at});
  return together(closed, moved, step);
}

/** What may be files that were dropped is text until it is known that they are. */
function pasted(state: AppState, text: string, at: number): Step {
  const inserted = edited(state, insertPaste(draftInHand(state), text), at);
  const paths = state.focus.kind === 'prompt' && !isShell(state) ? droppedPaths(text) : undefined;
  if (!paths) return inserted;
  return together(inserted, perform({kind: 'attach_paths', key: state.active, paths, pasted: text}));
}

function edited(state: AppState, draft: Draft, at: number): Step {
  if (draft === draftInHand(state)) return nothing;
  return fold({type: 'draft_changed', key: state.active, draft, at});
}

function edit(state: AppState, action: EditAction, at: number): Step {
  const draft = draftInHand(state);
  const queued = action === 'up_or_earlier' && isEmpty(draft) ? enterQueue(state) : undefined;
  if (queued) return queued;
  const {key, outputs} = activeSession(state);
  const last = outputs.at(-1);
  if (action === 'delete_backward' && draft.caret === 0 && last && state.focus.kind === 'prompt')
    return fold({type: 'output_dropped', key, id: last.id});
  return edited(state, editDraft(draft, action, editOptions(state)), at);
}

function editOptions({history, draftColumns}: AppState): EditOptions {
  return draftColumns === undefined ? {history} : {history, columns: draftColumns};
}

function leaveOrDelete(state: AppState, draft: Draft, at: number): Step {
  if (!isEmpty(draft)) return edit(state, 'delete_forward', at);
  return state.focus.kind === 'prompt' ? perform({kind: 'quit'}) : nothing;
}

function focusRequest({request}: AppState, at: number): Step {
  return request ? fold({type: 'focus_changed', focus: {kind: 'request', id: request.id}, at}) : nothing;
}

function enterQueue(state: AppState): Step | undefined {
  const last = activeSession(state).queue.at(-1);
  if (!last || state.focus.kind !== 'prompt') return undefined;
  return fold({type: 'queue_selected', id: last.id});
}

function editLastQueued(state: AppState, at: number): Step | undefined {
  const last = activeSession(state).queue.at(-1);
  if (!last || state.focus.kind !== 'prompt') return undefined;
  return fold({type: 'queue_edited', key: state.active, id: last.id, at});
}

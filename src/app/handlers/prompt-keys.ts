import {changeEffort, chooseSpeed} from '../pickers/setting-pickers.ts';
import {superfluous, type Command} from '../commands/command.ts';
import {movedText} from '../commands/moved-commands.ts';
import {resend} from '../commands/session-commands.ts';
import {model} from '../commands/setting-commands.ts';
import {otherCommands, parsePrompt, unknownCommand} from '../commands/parse-command.ts';
import {argumentKey} from '../completion/argument-menu.ts';
import {acceptFile} from '../completion/file-menu.ts';
import {menuOf, type Menu} from '../completion/menu.ts';
import {droppedPaths} from '../editor/dropped-paths.ts';
import {isEmpty, type Draft, draftParts, draftText} from '../editor/draft.ts';
import {editDraft, isEditAction, type EditOptions, type EditAction} from '../editor/edit.ts';
import {promptColumns} from '../editor/layout.ts';
import {openEditor} from '../editor/external-editor.ts';
import {insertPaste, insertText, clearDraft, pressEnter} from '../editor/insert.ts';
import {
  callAction,
  patchState,
  emitEvent,
  moveFocus,
  nothing,
  perform,
  combine,
  type Reaction,
} from '../effects.ts';
import {separateKeys, type KeyEvent, type KeyPress} from '../input/keys.ts';
import {keyFor} from '../keymap/key-names.ts';
import {actionFor, type Action} from '../keymap/keymap.ts';
import {asIfShown} from '../board/follow-board.ts';
import {historyPicker} from '../pickers/history-search.ts';
import {openPicker} from '../pickers/picker.ts';
import {callsAnyCommand, customCall} from '../../session/content/custom-command.ts';
import {TOO_SOON} from '../requests/request-guard.ts';
import {GUARD_MS, isRepeat} from '../requests/request-phase.ts';
import {offersFirst} from '../recovery/recovery-menu.ts';
import {activeSession, activeDraft} from '../sessions.ts';
import type {AppState, Focus, Tab} from '../state.ts';
import {toast} from '../status/toasts.ts';
import {pressVim, searchesHistory} from '../vim/press.ts';
import {openRecovery, rejectWithNote} from './cancel.ts';
import {continueQueue, editLastQueued, leavePrompt} from './empty-prompt.ts';
import {boardKey} from './board-keys.ts';
import {globalKey, keyForCovered} from './global-keys.ts';
import {
  enterInShell,
  runShell,
  addToPromptHistory,
  clearSentDraft,
  saveUnsentToHistory,
} from './shell-keys.ts';
import {submitPrompt} from '../queue/queue.ts';
import {isShell} from '../queue/shell-commands.ts';
import type {QueuePosition} from '../../session/queue/queued-prompt.ts';

/** Keys while the draft, or the note of a rejection, has the focus. */
export function promptKey(state: AppState, key: KeyEvent): Reaction {
  const draft = activeDraft(state);
  if (key.kind === 'paste') return pasted(state, key.text, key.at);
  const isVim = state.editing === 'vim';
  // Keys typed fast arrive together, and `/` opens a list that takes those behind it.
  if (isVim && draft.vim.mode === 'normal' && key.name === undefined && key.text.includes('/'))
    return patchState({heldKeys: separateKeys(key)});
  const isSearch = isVim && searchesHistory(draft, key);
  const action = isSearch ? 'search_history' : actionFor('prompt', key, state.keymap);
  const isHelp = action === 'help_when_empty' && isEmpty(draft);
  const inVim = isVim && !isHelp && !isSearch && pressVim(draft, key, editOptions(state));
  if (inVim) return edited(state, inVim, key.at);
  const tooSoon = sends(action) ? guardRewound(state, key) : undefined;
  if (tooSoon) return tooSoon;
  const menu = menuOf(state);
  const inMenu = menu && menuKey({state, menu, action, at: key.at});
  if (inMenu) return inMenu;
  return action === undefined
    ? edited(state, insertText(draft, key.text), key.at)
    : performInPrompt(state, action, key);
}

function sends(action: Action | undefined): action is 'send' | 'send_now' {
  return action === 'send' || action === 'send_now';
}

/** Puts the prompt that the agent expects next into an empty draft; undefined if there is none. */
function takeSuggestion(state: AppState, at: number): Reaction | undefined {
  const {draft, session} = activeSession(state);
  const suggestion = session.live?.suggestion;
  if (
    suggestion === undefined ||
    !state.promptSuggestions ||
    state.focus.kind !== 'prompt' ||
    !isEmpty(draft)
  )
    return undefined;
  return edited(state, insertText(draft, suggestion), at);
}

/** Returns what to do with a key that would send a prompt that rewinding has just put back; undefined if the key sends it. */
function guardRewound(state: AppState, key: KeyPress): Reaction | undefined {
  const {draft, rewoundDraft} = activeSession(state);
  return draft === rewoundDraft && isRepeat(state.lastKey, Infinity, key)
    ? toast(TOO_SOON, key.at)
    : undefined;
}

/** Performs an action in the draft; `text` is what its key would type otherwise. */
export function performInPrompt(
  state: AppState,
  action: Action,
  key: {readonly text: string; readonly at: number},
): Reaction {
  const covered = keyForCovered(state, action, key.at);
  if (covered) return covered;
  const draft = activeDraft(state);
  const {request} = state;
  switch (action) {
    case 'send':
      return pressSend(state, key.at);
    case 'help_when_empty':
      return isEmpty(draft) && state.focus.kind === 'prompt'
        ? emitEvent({type: 'overlay_opened', overlay: {kind: 'first_keys'}})
        : edited(state, insertText(draft, key.text), key.at);
    case 'leave_when_empty':
      return leaveOrDelete(state, draft, key.at);
    case 'focus_request':
      return request
        ? moveFocus({kind: 'request', id: request.id}, key.at)
        : (takeSuggestion(state, key.at) ?? showExpanded(activeSession(state)));
    case 'edit_externally':
      return openEditor(state);
    case 'resend':
      return resend(state, key.at);
    case 'search_history':
      return state.focus.kind === 'prompt' ? openPicker(historyPicker(state.history, 'project')) : nothing;
    case 'paste_clipboard':
      return readClipboard(state);
    case 'edit_last_queued':
      return editLastQueued(state) ?? nothing;
    case 'send_now':
      return sendNow(state, key.at);
    case 'stash_draft':
      return stash(state, key.at);
    case 'choose_model':
      return runCommand(state, model, key.at);
    case 'choose_speed':
      return chooseSpeed(activeSession(state), key.at);
    case 'lower_effort':
    case 'raise_effort':
      return changeEffort(activeSession(state), action === 'raise_effort' ? 1 : -1, key.at);
    default:
      return isEditAction(action) ? edit(state, action, key.at) : globalKey(state, action, key.at);
  }
}

/** Keys while the most important ones are shown: the same key shows all of them, and any other goes to the prompt. */
export function firstKeysKey(state: AppState, key: KeyEvent): Reaction {
  const action = key.kind === 'key' ? actionFor('prompt', key, state.keymap) : undefined;
  if (action === 'help_when_empty') return emitEvent({type: 'help_opened'});
  const isClosing = action === 'cancel_or_back' || action === 'clear_cancel_or_leave';
  return isClosing ? globalKey(state, action, key.at) : typeIntoPrompt(state, key);
}

/** A key meant for the prompt: closes the overlay, focuses the prompt, and handles the key there. */
export function typeIntoPrompt(state: AppState, key: KeyEvent): Reaction {
  const {board} = state;
  if (board && state.focus.kind !== 'note')
    return combine(moveFocus({kind: 'prompt'}, key.at), boardKey(state, key, board));
  const focus: Focus = state.focus.kind === 'note' ? state.focus : {kind: 'prompt'};
  const reaction = promptKey({...asIfShown(state), overlay: {kind: 'none'}, focus}, key);
  if (reaction === nothing) return nothing;
  const closed = state.overlay.kind === 'none' ? nothing : emitEvent({type: 'overlay_closed', at: key.at});
  const moved = focus.kind === state.focus.kind ? nothing : moveFocus(focus, key.at);
  return combine(closed, moved, reaction);
}

function readClipboard({focus, active}: AppState): Reaction {
  return focus.kind === 'prompt' ? perform({kind: 'read_clipboard', key: active}) : nothing;
}

/**
 * Possibly dropped files stay text until they are found to exist. Terminals whose own key pastes send nothing if the clipboard has a picture: it is read then.
 */
function pasted(state: AppState, text: string, at: number): Reaction {
  if (text === '') return readClipboard(state);
  const inserted = edited(state, insertPaste(activeDraft(state), text), at);
  const readings = state.focus.kind === 'prompt' && !isShell(state) ? droppedPaths(text) : [];
  if (readings.length === 0) return inserted;
  return combine(inserted, perform({kind: 'attach_paths', key: state.active, readings, pasted: text}));
}

function edited(state: AppState, draft: Draft, at: number): Reaction {
  if (draft === activeDraft(state)) return nothing;
  return emitEvent({type: 'draft_changed', key: state.active, draft, at});
}

function edit(state: AppState, action: EditAction, at: number): Reaction {
  const draft = activeDraft(state);
  const isAtPrompt = state.focus.kind === 'prompt';
  const elsewhere = isAtPrompt && isEmpty(draft) ? leavePrompt(state, action, at) : undefined;
  if (elsewhere) return elsewhere;
  const {key, session} = activeSession(state);
  const last = session.queue.outputs.at(-1);
  if (action === 'delete_backward' && draft.caret === 0 && last && isAtPrompt)
    return callAction(key, 'changeQueue', {kind: 'drop_output', id: last.id});
  return edited(state, editDraft(draft, action, editOptions(state)), at);
}

function editOptions({history, screenColumns}: AppState): EditOptions {
  return screenColumns === undefined ? {history} : {history, columns: promptColumns(screenColumns)};
}

function leaveOrDelete(state: AppState, draft: Draft, at: number): Reaction {
  if (!isEmpty(draft)) return edit(state, 'delete_forward', at);
  return state.focus.kind === 'prompt' ? perform({kind: 'quit'}) : nothing;
}

interface MenuKey {
  readonly state: AppState;
  readonly menu: Menu;
  readonly action: Action | undefined;
  readonly at: number;
}

/** Handles keys for the open menu; undefined for those that go to the draft. */
function menuKey({state, menu, action, at}: MenuKey): Reaction | undefined {
  const {items, selected} = menu;
  const item = items[selected];
  if (!item) return undefined;
  const moveInMenu = (to: number) => patchState({menu: {...state.menu, selected: to}});
  const submission = {at, place: action === 'send_now' ? ('now' as const) : undefined};
  if (item.completed && (action === 'focus_request' || sends(action))) {
    const step = argumentKey(state, item, {isEnter: sends(action), at});
    if (step === 'as_typed') return undefined;
    return step === 'send' ? submitText(state, item.completed.text, submission) : step;
  }
  switch (action) {
    case 'up_or_earlier':
      return moveInMenu((selected || items.length) - 1);
    case 'down_or_later':
      return moveInMenu((selected + 1) % items.length);
    case 'focus_request': {
      if (item.file) return acceptFile(state, item.file, at);
      const text = item.argument === undefined ? item.text : `${item.text} `;
      const draft = insertText(clearDraft(activeSession(state).draft), text);
      return emitEvent({type: 'draft_changed', key: state.active, draft, at});
    }
    case 'send':
    case 'send_now':
      return item.file ? acceptFile(state, item.file, at) : submitText(state, item.text, submission);
    default:
      return undefined;
  }
}

/** Enter in the prompt: a new line after a backslash, a rejection's note, a command, or a prompt. */
function pressSend(state: AppState, at: number, place?: 'now'): Reaction {
  const draft = activeDraft(state);
  const entered = isShell(state) ? enterInShell(draft) : pressEnter(draft);
  if (entered.kind === 'new_line')
    return emitEvent({type: 'draft_changed', key: state.active, draft: entered.draft, at});
  if (state.focus.kind === 'note')
    return rejectWithNote(state, entered.kind === 'send' ? entered.text : '', at);
  if (entered.kind !== 'send') return continueQueue(state, at, place);
  if (isShell(state)) return runShell(state, entered.text, at);
  if (offersFirst(activeSession(state))) return openRecovery(state, at + GUARD_MS);
  return submitText(state, entered.text, {at, place});
}

/** Puts the draft aside, or the one put aside back. */
function stash(state: AppState, at: number): Reaction {
  const {key, draft, stash} = activeSession(state);
  if (state.focus.kind !== 'prompt') return nothing;
  return isEmpty(draft) && !stash ? toast('Nothing to stash.', at) : emitEvent({type: 'draft_stashed', key});
}

/** Tab behind a custom command: its whole prompt, to be read and changed before it is sent. */
function showExpanded(tab: Tab): Reaction {
  const {key, draft, session} = tab;
  const parsed = parsePrompt(draftText(draft), tab);
  const call =
    parsed.kind === 'text' && !parsed.isAgents ? customCall(parsed.text, session.customCommands) : undefined;
  return call ? perform({kind: 'expand_command', key, call, typed: draft.text}) : nothing;
}

/** Runs one of acp-tui's commands without an argument. */
export function runCommand(state: AppState, command: Command, at: number): Reaction {
  const tab = activeSession(state);
  const problem = command.unavailable?.(tab, state.keymap);
  return problem === undefined
    ? (command.run({state, tab, argument: '', at}) ?? nothing)
    : toast(problem, at);
}

/** Sends the draft, or the first queued prompt, at once. */
export function sendNow(state: AppState, at: number): Reaction {
  return pressSend(state, at, 'now');
}

interface Submission {
  readonly at: number;
  /** Last by default, or where it was edited. */
  readonly place: QueuePosition | undefined;
}

/** Sends a text, or runs its command, and clears the draft. */
function submitText(state: AppState, text: string, {at, place}: Submission): Reaction {
  const tab = activeSession(state);
  const {commands, lastTurn, queue} = tab.session;
  const parsed = parsePrompt(text, tab);
  const unknown = unknownCommand(text, otherCommands(tab));
  // Before the agent has listed its commands, any name may be one of them.
  const areKnown = commands.length > 0 || lastTurn !== undefined;
  if (unknown && areKnown && !tab.draft.sentAnyway) return askAboutUnknown(state, unknown, at);
  const sent = combine(
    clearSentDraft(state, at),
    saveUnsentToHistory(state, tab.draft),
    addToPromptHistory(text),
  );
  if (parsed.kind === 'text')
    return combine(
      sent,
      submitPrompt(
        tab.key,
        {
          text: parsed.text,
          ...draftParts(tab.draft),
          // Nothing else may be sent with a command of the agent's.
          outputs: callsAnyCommand(parsed.text, commands) ? [] : queue.outputs,
          ...(parsed.isAgents && {isAgents: true}),
        },
        place ?? tab.editedPlace,
      ),
    );
  const done = runTyped(state, parsed, at);
  // The draft stays, so that the command can be retried or changed.
  if (typeof done === 'string') return toast(done, at);
  const told = parsed.moved ? toast(movedText(parsed.moved, state.keymap), at) : nothing;
  return combine(sent, told, done);
}

/** Returns what a command does, or why it does nothing. */
function runTyped(
  state: AppState,
  parsed: Exclude<ReturnType<typeof parsePrompt>, {readonly kind: 'text'}>,
  at: number,
): Reaction | string {
  const {argument} = parsed;
  if (parsed.kind === 'action')
    return superfluous(parsed.moved, argument) ?? performInPrompt(state, parsed.action, {text: '', at});
  const {command} = parsed;
  const tab = activeSession(state);
  return (
    command.unavailable?.(tab, state.keymap) ??
    superfluous(command, argument) ??
    command.run({state, tab, argument, at}) ??
    `Unknown argument "${argument}". Usage: /${command.name} ${command.argument ?? ''}.`
  );
}

/** A mistyped command would be sent as a prompt and cost tokens, so it needs a second Enter. */
function askAboutUnknown(
  state: AppState,
  {name, closest}: NonNullable<ReturnType<typeof unknownCommand>>,
  at: number,
): Reaction {
  const {key, draft} = activeSession(state);
  const send = keyFor('send', state.keymap);
  const suggestion = closest === undefined ? '' : ` Did you mean /${closest}?`;
  return combine(
    emitEvent({type: 'draft_changed', key, draft: {...draft, sentAnyway: true}, at}),
    toast(`Unknown command /${name}.${suggestion} Press ${send} again to send it to the agent.`, at),
  );
}

import {change} from '../editor/change.ts';
import {draftAfterSending, draftText, type Draft} from '../editor/draft.ts';
import {historyEntries} from '../editor/history.ts';
import {type EnterMeaning, insertText} from '../editor/insert.ts';
import {resolvePastes} from '../editor/pastes.ts';
import {callAction, patchState, emitEvent, nothing, perform, combine, type Reaction} from '../effects.ts';
import {commandToInterrupt, SHELL_SIGN, shellCommand} from '../queue/shell-commands.ts';
import {activeSession, activeDraft} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {toast} from '../status/toasts.ts';

/** A backslash continues the command on the next line, and must reach the shell. */
export function enterInShell(draft: Draft): EnterMeaning {
  const {text, caret} = draft;
  if (text.charAt(caret - 1) === '\\') return {kind: 'new_line', draft: insertText(draft, '\n')};
  return {kind: 'send', text: draftText(draft), draft: draftAfterSending(draft)};
}

/** Runs the draft in the user's shell, also during a turn. */
export function runShell(state: AppState, text: string, at: number): Reaction {
  const command = shellCommand(text);
  if (!command) return toast('Type a shell command after the !', at);
  const {key, draft} = activeSession(state);
  return combine(
    clearSentDraft(state, at),
    saveUnsentToHistory(state, draft),
    addToPromptHistory(text),
    callAction(key, 'runShell', command),
  );
}

/** Empties the draft once it is sent, or restores the stashed one. */
export function clearSentDraft(state: AppState, at: number): Reaction {
  const {key, draft, stash} = activeSession(state);
  const emptied = emitEvent({type: 'draft_changed', key, draft: draftAfterSending(draft), at});
  return stash ? combine(emptied, emitEvent({type: 'draft_stashed', key})) : emptied;
}

/** Turns the shell command into a prompt again. */
export function leaveShell(state: AppState, at: number): Reaction {
  const draft = activeDraft(state);
  const left = change(draft, {
    from: 0,
    to: SHELL_SIGN.length,
    insert: '',
    caret: Math.max(0, draft.caret - 1),
  });
  return emitEvent({type: 'draft_changed', key: state.active, draft: left, at});
}

/** Ctrl+C for the user's command, if it was started last. */
export function interruptCommand(state: AppState): Reaction | undefined {
  const tab = activeSession(state);
  const terminalId = commandToInterrupt(tab);
  return terminalId === undefined
    ? undefined
    : combine(patchState({interrupted: terminalId}), callAction(tab.key, 'interruptCommand', terminalId));
}

/** Adds a text to the history, here and for other windows. */
export function addToPromptHistory(text: string): Reaction {
  if (text.trim() === '') return nothing;
  return combine(emitEvent({type: 'history_added', text}), perform({kind: 'save_history', text}));
}

/** When another entry is sent: keeps the draft from before browsing the history, and edited entries, in the history. */
export function saveUnsentToHistory({history}: AppState, draft: Draft): Reaction {
  if (!draft.browsing) return nothing;
  const known = new Set(historyEntries(history));
  const aside = Object.values(draft.browsing.kept)
    .map(({text}) => resolvePastes(text, draft.pastes))
    .filter((text) => !known.has(text));
  return combine(...aside.map(addToPromptHistory));
}

import {change} from '../editor/change.ts';
import {draftAfter, draftText, type Draft} from '../editor/draft.ts';
import {historyEntries} from '../editor/history.ts';
import {type Entered, insertText} from '../editor/insert.ts';
import {resolvePastes} from '../editor/pastes.ts';
import {call, changed, fold, nothing, perform, together, type Step} from '../effects.ts';
import {commandToInterrupt, SHELL_SIGN, shellCommand} from '../queue/shell-commands.ts';
import {activeSession, activeDraft} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {toast} from '../status/toasts.ts';

/** A backslash continues the command on the next line, and must reach the shell. */
export function enterInShell(draft: Draft): Entered {
  const {text, caret} = draft;
  if (text.charAt(caret - 1) === '\\') return {kind: 'new_line', draft: insertText(draft, '\n')};
  return {kind: 'send', text: draftText(draft), draft: draftAfter(draft)};
}

/** Runs the draft in the user's shell, also during a turn. */
export function runShell(state: AppState, text: string, at: number): Step {
  const command = shellCommand(text);
  if (!command) return toast('Type a shell command after the !', at);
  const {key, draft} = activeSession(state);
  return together(
    draftSent(state, at),
    keepUnsent(state, draft),
    addToPromptHistory(text),
    call(key, 'runShell', command),
  );
}

/** Empties the draft once it is sent, or restores the stashed one. */
export function draftSent(state: AppState, at: number): Step {
  const {key, draft, stash} = activeSession(state);
  const emptied = fold({type: 'draft_changed', key, draft: draftAfter(draft), at});
  return stash ? together(emptied, fold({type: 'draft_stashed', key})) : emptied;
}

/** Turns the shell command into a prompt again. */
export function leaveShell(state: AppState, at: number): Step {
  const draft = activeDraft(state);
  const left = change(draft, {
    from: 0,
    to: SHELL_SIGN.length,
    insert: '',
    caret: Math.max(0, draft.caret - 1),
  });
  return fold({type: 'draft_changed', key: state.active, draft: left, at});
}

/** Ctrl+C for the user's command, if it was started last. */
export function interruptCommand(state: AppState): Step | undefined {
  const tab = activeSession(state);
  const terminalId = commandToInterrupt(tab);
  return terminalId === undefined
    ? undefined
    : together(changed({interrupted: terminalId}), call(tab.key, 'interruptCommand', terminalId));
}

/** Adds a text to the history, here and for other windows. */
export function addToPromptHistory(text: string): Step {
  if (text.trim() === '') return nothing;
  return together(fold({type: 'history_added', text}), perform({kind: 'save_history', text}));
}

/** When another entry is sent: keeps the draft from before browsing the history, and edited entries, in the history. */
export function keepUnsent({history}: AppState, draft: Draft): Step {
  if (!draft.browsing) return nothing;
  const known = new Set(historyEntries(history));
  const aside = Object.values(draft.browsing.kept)
    .map(({text}) => resolvePastes(text, draft.pastes))
    .filter((text) => !known.has(text));
  return together(...aside.map(addToPromptHistory));
}

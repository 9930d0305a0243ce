import {agentCommandText} from '../commands/parse-command.ts';
import {ownCommandNamed} from '../commands/index.ts';
import {fold, nothing, type Step} from '../effects.ts';
import type {Action} from '../keymap/keymap.ts';
import {change} from '../editor/change.ts';
import type {Draft} from '../editor/draft.ts';
import {activeSession} from '../sessions.ts';
import type {AppState} from '../state.ts';
import {runLeaderAction} from './leader-keys.ts';
import {doInPrompt} from './prompt-keys.ts';

/** Performs an item of the palette, see palette.ts. The palette is already closed; the draft is unchanged. */
export function runPaletteItem(before: AppState, id: string, at: number): Step {
  const state: AppState = {...before, overlay: {kind: 'none'}};
  const [kind, name] = [id.slice(0, id.indexOf(' ')), id.slice(id.indexOf(' ') + 1)];
  switch (kind) {
    case 'command':
      return runOwnCommand(state, name, at);
    case 'agent':
      return runAgentCommand(state, name, at);
    case 'shown':
      return nothing;
    default: {
      const action = name as Action;
      return runLeaderAction(state, action, at) ?? doInPrompt(state, action, {text: '', at});
    }
  }
}

function runOwnCommand(state: AppState, name: string, at: number): Step {
  const open = activeSession(state);
  const command = ownCommandNamed(name);
  if (!command) return nothing;
  if (command.argument?.startsWith('<')) return typed(state, `/${name} `, at);
  return command.run({state, open, argument: '', at});
}

/** A command with input is put into the draft; any other is sent at once. */
function runAgentCommand(state: AppState, name: string, at: number): Step {
  const {key, session} = activeSession(state);
  const command = session.commands.find((candidate) => candidate.name === name);
  if (!command) return nothing;
  if (command.input) return typed(state, `${agentCommandText(name)} `, at);
  return fold({type: 'prompt_submitted', key, text: `/${name}`, place: 'last'});
}

/** Puts a command into the draft in front of the typed text, for the user to complete. */
function typed(state: AppState, command: string, at: number): Step {
  const {key, draft} = activeSession(state);
  return fold(
    {type: 'focus_changed', focus: {kind: 'prompt'}, at},
    {type: 'draft_changed', key, draft: inFront(draft, command), at},
  );
}

function inFront(draft: Draft, insert: string): Draft {
  return change(draft, {
    from: 0,
    to: 0,
    insert,
    caret: insert.length + draft.text.length,
    browsing: undefined,
  });
}

import type {Effect, SessionEffect} from '../app/effects.ts';
import type {AppEvent} from '../app/events.ts';
import {logOverlay} from '../app/pages.ts';
import type {AppState, SessionKey} from '../app/state.ts';
import {failureSentence} from '../errors.ts';
import type {Failure, Result} from '../failure.ts';
import type {Secrets} from '../persistence/mask.ts';
import type {RecordingLine} from '../recording/schema.ts';
import type {Store} from '../store.ts';
import type {AgentsEffect} from './agent-chooser.ts';
import {performAttaching} from './attach.ts';
import type {Client} from './create-client.ts';
import type {PermissionBook} from './permission-book.ts';
import {performChanges} from './perform-changes.ts';
import {performConnection} from './perform-connection.ts';
import {performCommand} from './perform-commands.ts';
import {performAnswer} from './perform-answers.ts';
import {copyAndTell, exportAndTell} from './perform-exports.ts';
import {performMcp} from './perform-mcp.ts';
import {performSetting} from './perform-settings.ts';
import {performPermissions} from './perform-permissions.ts';
import type {SessionsEffect} from './perform-sessions.ts';
import {performPrompt} from './send-prompt.ts';
import type {WireEffect} from './wire-viewer.ts';

/** What the effects of a window need. */
export interface Performer {
  readonly store: Store<AppState, AppEvent>;
  readonly clientOf: (key: SessionKey) => Client;
  readonly permissions: PermissionBook;
  readonly saveHistory: (text: string) => void;
  /** What is masked in exports, beside what looks like a credential. */
  readonly secrets?: Secrets;
  /** What is kept of the wires. */
  readonly wireLines: () => readonly RecordingLine[];
  /** Where what has to survive is kept. */
  readonly stateFolder: string;
  readonly quit: () => void;
}

/** How long the reason of a failed action stands near the prompt, in milliseconds. */
const HINT_MS = 8000;

/** Does what the window wants done; a failure that comes back is told near the prompt. Redrawing, suspending and the editor are the screen's. */
export function perform(
  effect: Exclude<Effect, AgentsEffect | SessionsEffect | WireEffect>,
  performer: Performer,
): void {
  switch (effect.kind) {
    case 'quit':
      performer.quit();
      break;
    case 'save_history':
      performer.saveHistory(effect.text);
      break;
    case 'copy':
      void copyAndTell(effect, performer.store);
      break;
    case 'export_session':
      void exportAndTell(effect, performer);
      break;
    case 'redraw':
    case 'suspend':
    case 'open_editor':
    case 'replay':
      break;
    default:
      void performInSession(effect, performer).then((result) => {
        if (result && !result.ok && !isListed(result.failure, effect.key, performer)) {
          const text = failureSentence(result.failure);
          performer.store.dispatch({type: 'hint_shown', text, until: Date.now() + HINT_MS});
        }
      });
  }
}

/** The list of the ways to sign in tells it, and stays as long as it is so. */
function isListed(failure: Failure, key: SessionKey, {store}: Performer): boolean {
  const connection = store.current().sessions[key]?.session.connection;
  return failure.kind === 'authentication_required' && connection?.kind === failure.kind;
}

async function performInSession(
  effect: Exclude<SessionEffect, {kind: 'export_session'}> & {readonly key: SessionKey},
  performer: Performer,
): Promise<Result<unknown> | undefined> {
  const {store, clientOf} = performer;
  const {actions} = clientOf(effect.key);
  switch (effect.kind) {
    case 'send_prompt':
    case 'steer':
      return performPrompt(effect, performer);
    case 'look_at':
    case 'attach_paths':
    case 'read_clipboard':
    case 'add_directory':
      return performAttaching(effect, performer);
    case 'cancel':
    case 'answer':
    case 'submit_form':
    case 'open_link':
      return performAnswer(effect, performer);
    case 'run_shell':
    case 'interrupt_command':
    case 'type_into':
    case 'stop_command':
      return performCommand(effect, actions);
    case 'set_approval':
      actions.setApproval(effect.level);
      return undefined;
    case 'show_log':
      store.dispatch({type: 'overlay_opened', overlay: logOverlay(actions.stderrTail())});
      return undefined;
    case 'show_changes':
    case 'plan_undo':
    case 'undo':
      await performChanges(effect, performer);
      return undefined;
    case 'show_permissions':
    case 'show_decisions':
    case 'explain_decision':
    case 'add_rule':
    case 'remove_rule':
      return performPermissions(effect, performer);
    case 'show_mcp':
    case 'switch_mcp':
      return performMcp(effect, performer);
    case 'set_mode':
    case 'set_model':
    case 'set_config':
      return performSetting(effect, actions);
    case 'authenticate':
    case 'log_out':
    case 'open_session':
    case 'rename_session':
    case 'restart':
      return performConnection(effect, actions);
  }
}

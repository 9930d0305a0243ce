import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ApprovalLevel, RequestAnswer} from '../session/actions.ts';
import type {ExportChoice} from '../export/format.ts';
import type {FormContent} from '../session/forms/form-schema.ts';
import type {ContentItem} from '../session/content/content-items.ts';
import type {Opening} from '../session/events.ts';
import type {RewindPlan, RewindPoint} from '../session/rewind.ts';
import type {RuleEffect} from '../session/requests/permission-rules.ts';
import type {ReviewChange, ReviewComment, ReviewRange} from '../session/review.ts';
import type {AppEvent} from './events.ts';
import type {Attachment} from './editor/attachments.ts';
import type {ReplayStep} from './pages/replay.ts';
import type {SettingPlace, SettingRow, SettingsReturn} from './settings/setting-row.ts';
import type {SessionKey, SessionScope} from './state.ts';
import type {CommandOutput} from './queue/queued-prompt.ts';

/**
 * Side effects that the window requests, as data. One place performs them, mostly by calling the session's actions; a failure
 * that comes back is told with a `toast_shown` event.
 */
export type Effect =
  | ScreenEffect
  /** Of this window. */
  | {readonly kind: 'quit'}
  /** Shows what was said on the wire, with `overlay_opened`; then one of it, by its index. */
  | {readonly kind: 'show_wire'}
  | {readonly kind: 'show_exchange'; readonly index: number}
  /** Moves a replay. */
  | {readonly kind: 'replay'; readonly step: ReplayStep}
  /** Remembers a prompt that was sent or cleared, for all windows. */
  | {readonly kind: 'save_history'; readonly text: string}
  /** Finds the sessions that can be gone on with, for the list of them. */
  | {readonly kind: 'find_sessions'; readonly scope: SessionScope}
  /** Asks all agents that are known for theirs, while the list of sessions is open. */
  | {readonly kind: 'ask_agents'}
  /** Resumes the session of a row or internal id; with `fork`, a copy of it. */
  | {readonly kind: 'resume_session'; readonly row: string; readonly fork: boolean}
  /** Asks for confirmation if it cannot be undone, unless `sure`. */
  | {readonly kind: 'delete_session'; readonly row: string; readonly sure: boolean}
  | {readonly kind: 'archive_session'; readonly row: string}
  /** The same for one that is open in this window, which is closed. */
  | {
      readonly kind: 'remove_open';
      readonly session: SessionKey;
      readonly how: 'delete' | 'archive';
      readonly sure: boolean;
    }
  /** Brings back the one of a row, or the newest that was archived. */
  | {readonly kind: 'unarchive_session'; readonly row?: string}
  /** Brings back what was deleted last. */
  | {readonly kind: 'restore_session'}
  /** A session that was cut off counts as closed from now on. */
  | {readonly kind: 'mark_session_closed'; readonly row: string}
  /** A new session with the same agent, beside those that are open. */
  | {readonly kind: 'open_beside'}
  | {readonly kind: 'close_session'; readonly session: SessionKey}
  /** Reads all settings and lists them. */
  | ({readonly kind: 'show_settings'} & SettingsReturn)
  /** Writes a setting, or removes it without a value; applies it, and lists all again. */
  | {
      readonly kind: 'change_setting';
      readonly row: SettingRow;
      readonly value: string | undefined;
      readonly place: SettingPlace;
      readonly back: SettingsReturn;
    }
  /** Finds the agents that can be chosen, for the list of them; whether the registry is asked, too. */
  | {readonly kind: 'find_agents'; readonly ask: 'if_allowed' | 'now'}
  /** A session with that agent, beside those that are open; one that is not installed yet is asked about first. */
  | {readonly kind: 'choose_agent'; readonly id: string}
  /** The same for one that is not here: the registry is asked how it is installed. */
  | {readonly kind: 'install_agent'; readonly id: string}
  | {readonly kind: 'stop_installing'}
  /** Puts text into the clipboard: the terminal's, and that of the machine. `what` it is, in words. */
  | {readonly kind: 'copy'; readonly text: string; readonly what: string}
  /** Finds passages in all stored sessions and shows them. */
  | {readonly kind: 'find_passages'; readonly query: string}
  /** Shows a stored session, by our id, to be read from one of its entries on, with what was looked for marked. */
  | {
      readonly kind: 'read_session';
      readonly id: string;
      readonly entry: number | undefined;
      readonly search: string;
    }
  /** Of one session. */
  | ({readonly key: SessionKey} & SessionEffect);

/** Effects that the screen performs itself, since it owns the terminal. */
export type ScreenEffect =
  | {readonly kind: 'redraw'}
  | {readonly kind: 'suspend'}
  /** Has the draft edited in the user's editor; `editor_closed` follows. */
  | {readonly kind: 'open_editor'; readonly key: SessionKey; readonly text: string};

type SessionEffect =
  | {
      readonly kind: 'send_prompt';
      readonly content: readonly acp.ContentBlock[];
      /** Read now and sent after `content`. If one cannot be read, nothing is sent, and `prompt_not_sent` reports it. */
      readonly files: readonly Attachment[];
      /** Sent behind all else. */
      readonly outputs: readonly CommandOutput[];
      /** True for one that is in the transcript already. */
      readonly repeats?: boolean;
    }
  /** Looks up attached files, and reports them with `files_seen`. */
  | {readonly kind: 'look_at'; readonly files: readonly Attachment[]}
  /** Attaches pasted paths when there are files of these names, with `files_attached`. */
  | {readonly kind: 'attach_paths'; readonly paths: readonly string[]; readonly pasted: string}
  /** Takes a picture, files or text from the clipboard into the draft. */
  | {readonly kind: 'read_clipboard'}
  /** Asks the agent to accept a queued prompt during the turn; `steering_ended` has the outcome. */
  | {
      readonly kind: 'steer';
      readonly id: string;
      readonly content: readonly acp.ContentBlock[];
      readonly files: readonly Attachment[];
      /** Sent behind all else. */
      readonly outputs: readonly CommandOutput[];
    }
  | {readonly kind: 'cancel'}
  | {readonly kind: 'answer'; readonly id: string; readonly answer: RequestAnswer}
  /** Submits answers that match the schema; `form_changed` reports fields that do not match their pattern. */
  | {readonly kind: 'submit_form'; readonly id: string; readonly content: FormContent}
  /** Opens the address of a request in the user's browser; the first time this is the answer, too. */
  | {readonly kind: 'open_link'; readonly id: string}
  /** Runs a command in the user's own shell. */
  | {readonly kind: 'run_shell'; readonly command: string}
  /** Ctrl+C for a command of the user. */
  | {readonly kind: 'interrupt_command'; readonly terminalId: string}
  /** Types into a running command that has a pseudo-terminal. */
  | {readonly kind: 'type_into'; readonly terminalId: string; readonly text: string}
  /** Ends a running command with all that came of it. */
  | {readonly kind: 'stop_command'; readonly terminalId: string}
  /** Cancels the work of a subagent; its agent continues. */
  | {readonly kind: 'cancel_subagent'; readonly sessionId: string}
  | {readonly kind: 'set_mode'; readonly modeId: string}
  | {readonly kind: 'set_model'; readonly modelId: string}
  | {readonly kind: 'set_config'; readonly configId: string; readonly value: string | boolean}
  | {readonly kind: 'set_approval'; readonly level: ApprovalLevel}
  | {readonly kind: 'authenticate'; readonly methodId: string}
  | {readonly kind: 'log_out'}
  | {readonly kind: 'open_session'; readonly opening: Exclude<Opening, {kind: 'later'}>}
  | {readonly kind: 'rename_session'; readonly title: string}
  /** Writes the session into a file: as typed, or one that is named after it. */
  | {
      readonly kind: 'export_session';
      readonly format: ExportChoice | undefined;
      readonly file: string | undefined;
      readonly withSecrets: boolean;
    }
  /** Opens something of the session in the system's program, the user's editor or, after a yes, the browser. */
  | {readonly kind: 'open_content'; readonly item: ContentItem}
  /** Writes it into the folder of the session. */
  | {readonly kind: 'save_content'; readonly item: ContentItem}
  | {readonly kind: 'restart'}
  /** Adds a folder to those of the session. */
  | {readonly kind: 'add_directory'; readonly path: string}
  /** Reads what was changed and shows it. */
  | {readonly kind: 'show_changes'}
  /** Reads what changed in the folder and shows it, with the cursor at a line if it is still there. */
  | {readonly kind: 'show_review'; readonly range: ReviewRange; readonly at?: ReviewPlace}
  /** Accepts or reverts a change, or takes that back, and reads again. */
  | {readonly kind: 'change_review'; readonly change: ReviewChange}
  | {readonly kind: 'save_review_comments'; readonly comments: readonly ReviewComment[]}
  /** Opens a file in the user's editor; afterwards the review is shown again. `row` is a line of the file. */
  | {
      readonly kind: 'edit_reviewed';
      readonly path: string;
      readonly row: number | undefined;
      readonly range: ReviewRange;
      readonly at: ReviewPlace;
    }
  /** Finds out what taking back the newest turn would do, and asks whether to do it. */
  | {readonly kind: 'plan_undo'}
  | {readonly kind: 'undo'; readonly turn: number; readonly only?: readonly string[]}
  /** Lists what the session can go back to; finds out what going back to a point would do, and asks; restores the files. */
  | {readonly kind: 'show_rewind'}
  | {readonly kind: 'plan_rewind'; readonly point: RewindPoint}
  | {
      readonly kind: 'rewind';
      readonly plan: Pick<RewindPlan, 'point' | 'now'>;
      readonly only?: readonly string[];
    }
  /** Reads rules and decisions and shows them. */
  | {readonly kind: 'show_permissions'}
  | {readonly kind: 'show_decisions'}
  | {readonly kind: 'explain_decision'; readonly index: number}
  /** Changes the rules of the user. */
  | {readonly kind: 'add_rule'; readonly effect: RuleEffect; readonly text: string}
  | {readonly kind: 'remove_rule'; readonly text: string}
  /** Lists the agent's LLM providers, and asks for the configuration of one. */
  | {readonly kind: 'show_providers'}
  | {readonly kind: 'configure_provider'; readonly id: string}
  /** Lists the MCP servers, and switches one on or off for sessions that are opened later. */
  | {readonly kind: 'show_mcp'}
  | {readonly kind: 'switch_mcp'; readonly name: string}
  /** Reads the tail of the agent's stderr and shows it with `overlay_opened`, see `logOverlay` in pages.ts. */
  | {readonly kind: 'show_log'};

/** A file of a review, and the index of a line. */
interface ReviewPlace {
  readonly file: string;
  readonly line: number;
}

export type EffectKind = Effect['kind'];
export type EffectOf<Kind extends EffectKind> = Extract<Effect, {kind: Kind}>;

/** The result of a key, command or choice: events to fold, in order, then effects to perform. */
export interface Step {
  readonly events: readonly AppEvent[];
  readonly effects: readonly Effect[];
}

export const nothing: Step = {events: [], effects: []};

/** Hands a step on: its events to the store of the window, at once, then its effects. */
export function takeStep(
  {events, effects}: Step,
  store: {readonly dispatch: (event: AppEvent, priority: 'urgent') => void},
  perform: (effect: Effect) => void,
): void {
  for (const event of events) store.dispatch(event, 'urgent');
  for (const effect of effects) perform(effect);
}

/** A step that only folds events. */
export function fold(...events: readonly AppEvent[]): Step {
  return {events, effects: []};
}

/** A step that only has effects. */
export function perform(...effects: readonly Effect[]): Step {
  return {events: [], effects};
}

/** Several steps as one. */
export function together(...steps: readonly Step[]): Step {
  return {
    events: steps.flatMap((step) => step.events),
    effects: steps.flatMap((step) => step.effects),
  };
}

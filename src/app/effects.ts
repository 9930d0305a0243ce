import type {SessionScope} from './pickers/listings.ts';
import type {NextSession} from './board/board-view.ts';
import type {SessionActions} from '../session/actions.ts';
import type {ExportChoice} from '../export/format.ts';
import type {FormContent} from '../session/forms/form-schema.ts';
import type {CustomCall} from '../session/content/custom-command.ts';
import type {ContentItem} from '../session/content/content-items.ts';
import type {RewindPoint} from '../session/rewind.ts';
import type {RuleEffect} from '../session/requests/permission-rules.ts';
import type {ReviewChange, ReviewRange} from '../session/review.ts';
import type {Result} from '../shared/failure.ts';
import type {AppEvent, AppEventOf} from './events.ts';
import type {Attachment} from '../session/content/attachment.ts';
import type {ReplayStep} from './pages/replay.ts';
import type {SettingPlace, SettingRow, SettingsReturn} from './settings/setting-row.ts';
import type {Focus, SessionKey} from './state.ts';

/** Folders that an agent names for a session: those that the user allowed, or none of them. */
export type FolderAnswer = 'none' | readonly string[];

/** What becomes of a worktree. */
export type WorktreeEnd = 'apply' | 'merge' | 'keep' | 'remove';

/** What the user knows to be lost with a worktree. */
export interface WorktreeLosses {
  readonly uncommitted: readonly string[];
  readonly commits: number;
}

/**
 * Side effects requested by the window, as data. `window/effects/effects.ts` runs them, mostly by calling the session's actions; failures are shown by a
 * `toast_shown` event.
 */
export type Effect =
  | ScreenEffect
  /** Closes this window. */
  | {readonly kind: 'quit'}
  /** Shows the protocol log, with `overlay_opened`; then one message by its index. */
  | {readonly kind: 'show_wire'}
  | {readonly kind: 'show_exchange'; readonly index: number}
  /** Controls a replay. */
  | {readonly kind: 'replay'; readonly step: ReplayStep}
  /** Adds a sent or cleared prompt to the history of all windows. */
  | {readonly kind: 'save_history'; readonly text: string}
  /** Finds the sessions for the list of sessions. */
  | {readonly kind: 'find_sessions'; readonly scope: SessionScope}
  /** Queries all known agents for their sessions, while the list is open. */
  | {readonly kind: 'ask_agents'}
  /** Resumes the session of a row or internal id; with `fork`, a copy of it. `folders`: the user's answer about folders that only the agent names, see `foldersPicker`. */
  | {
      readonly kind: 'resume_session';
      readonly row: string;
      readonly fork: boolean;
      readonly folders?: FolderAnswer;
    }
  /** Resumes an open session that has ended in the background service. */
  | {readonly kind: 'resume_ended'; readonly session: SessionKey}
  /** Asks for confirmation if it cannot be undone, unless `sure`. */
  | {readonly kind: 'delete_session'; readonly row: string; readonly sure: boolean}
  | {readonly kind: 'archive_session'; readonly row: string}
  /** Closes a session that is open in this window, and may then delete or archive it. */
  | {
      readonly kind: 'remove_open';
      readonly session: SessionKey;
      readonly how: 'close' | 'delete' | 'archive';
      readonly sure: boolean;
    }
  | {readonly kind: 'unarchive_session'; readonly row: string}
  /** Without a title it gets the automatic one. */
  | {readonly kind: 'rename_session'; readonly row: string; readonly title: string}
  /** Restores the most recently deleted session. */
  | {readonly kind: 'restore_session'}
  /** Marks an interrupted session as closed. */
  | {readonly kind: 'mark_session_closed'; readonly row: string}
  /** Opens another session as the active one, but for what is in `next`, and sends its first prompt if that is not empty. */
  | {readonly kind: 'open_beside'; readonly prompt: string; readonly next?: NextSession}
  /** Shows the session that has waited longest for the user, in any window or in the background. */
  | {readonly kind: 'show_waiting'}
  /** Opens a session in a new worktree of the session's folder. */
  | {readonly kind: 'open_worktree'; readonly session: SessionKey; readonly name?: string}
  /** Brings the changes of its worktree back, or removes it; `agreed` is what the user knows to be lost. */
  | {
      readonly kind: 'finish_worktree';
      readonly session: SessionKey;
      readonly how: WorktreeEnd;
      readonly agreed?: WorktreeLosses;
    }
  /** Gives agents the same prompt, each in a worktree of the session's folder, and compares what they did. */
  | {
      readonly kind: 'compare_agents';
      readonly session: SessionKey;
      readonly agents: readonly string[];
      readonly prompt: string;
      /** A shell command that is run in each worktree afterwards. */
      readonly check?: string;
    }
  /** It leaves the window, and goes on in the background. */
  | {readonly kind: 'detach_session'; readonly session: SessionKey}
  /** Reads all settings and lists them. */
  | ({readonly kind: 'show_settings'} & SettingsReturn)
  /** Selects the value of the setting of that name, or searches the settings for both if none has a list of values. */
  | {readonly kind: 'set_setting'; readonly name: string; readonly value: string}
  /** Writes a setting, or removes it without a value; applies it, and updates the list if it was changed there. */
  | {
      readonly kind: 'change_setting';
      readonly row: SettingRow;
      readonly value: string | undefined;
      readonly place: SettingPlace;
      readonly back?: SettingsReturn;
    }
  /** Finds the agents for the list of agents; `ask` decides about loading the registry. */
  | {readonly kind: 'find_agents'; readonly ask: 'if_allowed' | 'now'}
  /** Opens another session with this agent; asks first if it has to be installed. */
  | {readonly kind: 'choose_agent'; readonly id: string}
  /** Opens a session with an agent that is not listed: looks it up in the registry. */
  | {readonly kind: 'install_agent'; readonly id: string}
  | {readonly kind: 'stop_installing'}
  /** Copies text to the clipboard, through the terminal and the system. `what` describes it; `terminal` says whether the terminal has got it; in linear output it has no clipboard. */
  | {
      readonly kind: 'copy';
      readonly text: string;
      readonly what: string;
      readonly terminal?: 'sent' | 'too_long' | 'none';
    }
  /** Shows a stored session read-only, from one of its entries on, with the search highlighted. */
  | {
      readonly kind: 'read_session';
      readonly row: string;
      readonly entry: number | undefined;
      readonly search: string;
    }
  /** Of one session. */
  | ({readonly key: SessionKey} & SessionEffect)
  | SessionCall;

/** The actions that are called as data; they return at most a failure, which is shown. */
type CalledAction = {
  [Action in keyof SessionActions]: ReturnType<SessionActions[Action]> extends Called | Promise<Called>
    ? Action
    : never;
}[keyof SessionActions];

type Called = Result<void> | void;

/** Calls an action of a session. */
export type SessionCall = {
  [Action in CalledAction]: {
    readonly kind: 'call';
    readonly key: SessionKey;
    readonly action: Action;
    readonly args: Readonly<Parameters<SessionActions[Action]>>;
  };
}[CalledAction];

/** Effects that the screen runs itself, since it owns the terminal. */
export type ScreenEffect =
  | {readonly kind: 'redraw'}
  | {readonly kind: 'suspend'}
  /** Opens the draft in the user's editor, or the content or the command that a request proposes; `editor_closed` follows, and `answer_edited` for a request. */
  | {
      readonly kind: 'open_editor';
      readonly key: SessionKey;
      readonly text: string;
      readonly request?: EditedRequest;
    };

/** A request to write a file or to run a command, which is edited. */
export interface EditedRequest {
  readonly id: string;
  /** See `PendingPermission`. */
  readonly changes: number;
  /** The file; undefined for a command. */
  readonly path: string | undefined;
}

type SessionEffect =
  /** Answers a request to write a file or to run a command with what the user made of that, and tells the agent. */
  | ({readonly kind: 'answer_edited'; readonly before: string; readonly text: string} & EditedRequest)
  /** Takes a queued or interrupted prompt back into the draft, unless it is gone. */
  | {readonly kind: 'edit_unsent'; readonly id: string}
  /** Puts the whole prompt of a custom command into the draft, unless that has changed meanwhile. */
  | {readonly kind: 'expand_command'; readonly call: CustomCall; readonly typed: string}
  /** Saves a prompt as a command of the user's. */
  | {readonly kind: 'save_command'; readonly name: string; readonly prompt: string}
  /** Looks up attached files, and reports them with `files_checked`. */
  | {readonly kind: 'check_files'; readonly files: readonly Attachment[]}
  /** Attaches pasted paths if such files exist, with `files_attached`. */
  | {
      readonly kind: 'attach_paths';
      /** Ways to read the pasted text; the first whose files all exist counts. */
      readonly readings: readonly (readonly string[])[];
      readonly pasted: string;
    }
  /** Pastes an image, files or text from the clipboard into the draft. */
  | {readonly kind: 'read_clipboard'}
  /** Submits answers that match the schema; `form_changed` reports fields that do not match their pattern. */
  | {readonly kind: 'submit_form'; readonly id: string; readonly content: FormContent}
  /** Opens the URL of a request in the user's browser; the first time this also answers it. */
  | {readonly kind: 'open_link'; readonly id: string}
  /** Exports the session to a file, as typed, or named after the session. */
  | {
      readonly kind: 'export_session';
      readonly format: ExportChoice | undefined;
      readonly file: string | undefined;
      readonly withSecrets: boolean;
    }
  /** Opens content of the session in the system's default program, the user's editor or, after confirmation, the browser. */
  | {readonly kind: 'open_content'; readonly item: ContentItem}
  /** Saves it in the session's folder. */
  | {readonly kind: 'save_content'; readonly item: ContentItem}
  /** Opens a session with another agent, which gets the conversation with its first prompt; without a part, asks what of it. */
  | {readonly kind: 'hand_off'; readonly agent: string; readonly part?: HandoffPart}
  /** Shows what is known of the session, with its limits. */
  | {readonly kind: 'show_status'}
  /** Shows what all sessions have used. */
  | {readonly kind: 'show_usage'}
  /** Reads the changes and shows them. */
  | {readonly kind: 'show_changes'}
  /** Reads the changes in the folder and shows them, with the cursor at a line if it still exists. */
  | {readonly kind: 'show_review'; readonly range: ReviewRange; readonly at?: ReviewPlace}
  /** Accepts or reverts a change, or undoes that, and reads the changes again. */
  | {readonly kind: 'change_review'; readonly change: ReviewChange; readonly of: string}
  /** Commits what is accepted after a question; without a message, the agent writes it. */
  | {readonly kind: 'commit_review'; readonly message: string | undefined}
  /** Opens a file in the user's editor, then the review again. `row` is a line of the file. */
  | {
      readonly kind: 'edit_reviewed';
      readonly path: string;
      readonly row: number | undefined;
      readonly range: ReviewRange;
      readonly at: ReviewPlace;
    }
  /** Determines what undoing the newest turn would do, and asks for confirmation. */
  | {readonly kind: 'plan_undo'}
  /** Lists the points to rewind to; determines what rewinding would do, and asks; restores the files. */
  | {readonly kind: 'show_rewind'}
  | {readonly kind: 'plan_rewind'; readonly point: RewindPoint}
  /** Reads rules and decisions and shows them. */
  | {readonly kind: 'show_permissions'}
  | {readonly kind: 'show_decisions'}
  /** Shows what the sandbox allows, and what it refused. */
  | {readonly kind: 'show_sandbox'}
  | {readonly kind: 'explain_decision'; readonly index: number}
  /** Takes back what was allowed for the session. */
  | {readonly kind: 'take_back'; readonly id: string; readonly covers: string}
  /** Changes the user's rules. */
  | {readonly kind: 'add_rule'; readonly effect: RuleEffect; readonly text: string}
  | {readonly kind: 'remove_rule'; readonly text: string}
  /** Lists the agent's LLM providers, and asks for a provider's configuration. */
  | {readonly kind: 'show_providers'}
  /** Lists the MCP servers, and turns one on or off for new sessions. */
  | {readonly kind: 'show_mcp'}
  | {readonly kind: 'switch_mcp'; readonly name: string}
  /** Reads the end of the agent's stderr and shows it with `overlay_opened`, see `logOverlay` in pages.ts. */
  | {readonly kind: 'show_log'};

/** What the agent that goes on gets of the conversation: so many of its last turns, all that fits, or a summary by the agent that it was with. */
export type HandoffPart = number | 'all' | 'summary';

/** A file of a review, and the index of a line. */
interface ReviewPlace {
  readonly file: string;
  readonly line: number;
}

export type EffectKind = Effect['kind'];
export type EffectOf<Kind extends EffectKind> = Extract<Effect, {kind: Kind}>;

/** The result of a key, command or selection: events to reduce, in order, then effects to run. */
export interface Reaction {
  readonly events: readonly AppEvent[];
  readonly effects: readonly Effect[];
}

export const nothing: Reaction = {events: [], effects: []};

/** Applies a reaction: dispatches its events at once, then runs its effects. */
export function applyReaction(
  {events, effects}: Reaction,
  store: {readonly dispatch: (event: AppEvent, priority: 'urgent') => void},
  perform: (effect: Effect) => void,
): void {
  for (const event of events) store.dispatch(event, 'urgent');
  for (const effect of effects) perform(effect);
}

/** Returns a reaction with events only. */
export function emitEvent(...events: readonly AppEvent[]): Reaction {
  return {events, effects: []};
}

/** Returns a reaction that sets fields of the window. */
export function patchState(change: AppEventOf<'changed'>['change']): Reaction {
  return emitEvent({type: 'changed', change});
}

/** Returns a step that moves the focus. */
export function moveFocus(focus: Focus, at: number): Reaction {
  return emitEvent({type: 'focus_changed', focus, at});
}

/** Returns a reaction that sets fields of the request's view. */
export function patchRequest(change: AppEventOf<'request_changed'>['change']): Reaction {
  return emitEvent({type: 'request_changed', change});
}

/** Returns a reaction with effects only. */
export function perform(...effects: readonly Effect[]): Reaction {
  return {events: [], effects};
}

/** Returns a reaction that calls an action of a session. */
export function callAction<Action extends CalledAction>(
  key: SessionKey,
  action: Action,
  ...args: Parameters<SessionActions[Action]>
): Reaction {
  return perform({kind: 'call', key, action, args} as SessionCall);
}

/** Combines several reactions. */
export function combine(...reactions: readonly Reaction[]): Reaction {
  return {
    events: reactions.flatMap((reaction) => reaction.events),
    effects: reactions.flatMap((step) => step.effects),
  };
}

import type {UnsentInput} from '../../app/sessions.ts';
import type {AppEvent, AppEventOf} from '../../app/events.ts';
import {programOf, type NewTab} from '../../app/initial.ts';
import {hasGoneOn, TOAST_MS} from '../../app/sessions.ts';
import {sessionKeys} from '../../app/open-sessions.ts';
import type {AppState, Tab, Overlay, Picker, SessionKey} from '../../app/state.ts';
import type {OverridingOptions, SettingPlaces} from '../../settings/setting-values.ts';
import type {Secrets} from '../../shared/mask.ts';
import type {RecordingLine} from '../../recording/format.ts';
import type {Store} from '../../shared/store.ts';
import type {AgentToAsk} from '../sessions/other-agents.ts';
import type {AttachedSession} from '../../service/attached-session.ts';
import type {RunningSession} from '../../service/messages.ts';
import type {SessionActions} from '../../session/actions.ts';
import type {PermissionRules} from '../../conversation/trust/permission-rules.ts';
import type {AgentListeners} from '../../conversation/connection/agent-pool.ts';
import type {ConversationOptions, Log, OptionsForAgent, WireListener} from '../../conversation/options.ts';
import type {WireViewer} from '../wire-inspector.ts';
import type {ReportFault} from '../faults.ts';
import type {SessionStore} from '../../storage/sessions/session-store.ts';
import type {ResumeOrigin, StoredSession} from '../../storage/sessions/stored-session.ts';
import type {WindowRecording} from '../sessions/record-window.ts';
import {initialSession} from '../../session/initial.ts';
import type {SessionState} from '../../session/state.ts';
import type {Result} from '../../shared/failure.ts';
import type {CreatedWorktree} from '../../worktrees/create-worktree.ts';
import type {SessionFinder} from '../sessions/session-finder.ts';
import type {AgentChooser, WindowAgents} from '../agents/agent-chooser.ts';
import type {Effect, EffectKind, EffectOf, ScreenEffect} from '../../app/effects.ts';

/** The sources of a window's settings. */
interface WindowSettings extends Omit<SettingPlaces, 'cwd'> {
  /** Settings that the command line overrides. */
  readonly options: OverridingOptions;
}

export interface WindowOptions {
  readonly store: Store<AppState, AppEvent>;
  readonly storage: SessionStorage;
  readonly log: Log;
  readonly permissions: PermissionRules;
  readonly settings: WindowSettings;
  /** Values to mask in exports, besides apparent credentials. */
  readonly secrets?: Secrets;
  readonly agents: WindowAgents;
  /** Folder for persistent files. */
  readonly stateFolder: string;
  /** Observes the messages of all sessions. */
  readonly wire: WireListener;
  /** How agents are started. */
  readonly startAgent?: AgentListeners['startAgent'];
  /** Returns the stored protocol messages. */
  readonly wireLines: () => readonly RecordingLine[];
  /** Returns the agents whose sessions may be queried; none by default. */
  readonly agentsToAsk?: () => readonly AgentToAsk[];
  /** Says how they are confined, and sessions that are resumed. */
  readonly optionsForAgent: OptionsForAgent;
  /** The sessions of the background service; undefined without one. */
  readonly background?: BackgroundSessions;
  /** Applies the trusted settings of a folder in which a session is opened; returns what the user should know of them, in sentences. */
  readonly useFolder: (folder: string) => readonly string[];
  /** Creates a worktree for a session that would work in the folder of these options. */
  readonly openWorktree: (
    options: ConversationOptions,
    named: {readonly name?: string | undefined; readonly prompt?: string | undefined},
  ) => Promise<Result<NewWorktree>>;
  /** Reports internal errors. */
  readonly report: ReportFault;
  readonly quit: () => void;
}

/** A worktree for a session that has not begun. */
export interface NewWorktree extends CreatedWorktree {
  /** Removes it again, unless something would be lost with it. */
  readonly discard: () => Promise<void>;
}

/** What the effects of a window share. */
export interface WindowContext extends WindowOptions {
  readonly sessions: WindowSessions;
  readonly inspector: WireViewer;
}

/** Dependencies of a window's effects. */
export interface EffectContext extends WindowContext {
  /** The state when the effect began: the user may have gone on. */
  readonly began: AppState;
  /** Which of the window's effects it is, in the order in which they began; undefined if it shows nothing late. */
  readonly asked?: number;
}

/** Dependencies of the effects of one session, as it is when they begin. */
export interface SessionContext extends EffectContext {
  readonly tab: Tab;
  readonly client: SessionActions;
}

/** A failure is shown as a toast. */
export type EffectOutcome = Result<unknown> | undefined | void;

/** Runs the effects of each kind. */
export type EffectHandlers = {
  readonly [Kind in Exclude<EffectKind, ScreenEffect['kind'] | 'replay'>]: (
    effect: EffectOf<Kind>,
    context: EffectOf<Kind> extends {readonly key: SessionKey} ? SessionContext : EffectContext,
  ) => EffectOutcome | Promise<EffectOutcome>;
};

/** Shows a toast. */
export function notify({store}: Pick<EffectContext, 'store'>, text: string): undefined {
  store.dispatch({type: 'toast_shown', text, until: performance.now() + TOAST_MS}, 'urgent');
}

/** The window, and for what is of one session that one. */
type Showing = Pick<EffectContext, 'store' | 'began' | 'asked'> & Partial<Pick<SessionContext, 'tab'>>;

/** Opens an overlay, unless it is of a session that is no longer on the screen, or would take the keys of what is being typed, or was opened or asked for since: they act at once. */
export function show(
  context: Showing,
  overlay: Overlay,
  viewer?: AppEventOf<'overlay_opened'>['viewer'],
): undefined {
  const {store, tab, began, asked} = context;
  const now = store.latest();
  if (tab && tab.key !== now.active)
    return notify(context, 'Not shown: another session is on the screen now.');
  if (hasGoneOn(began, now) || isCovered(context, now))
    return notify(context, 'Not shown: you have gone on meanwhile.');
  store.dispatch({type: 'overlay_opened', overlay, asked, ...(viewer && {viewer})}, 'urgent');
  return undefined;
}

/** True if something else was opened since by a key, or was asked for later. */
function isCovered(
  {began, asked = Infinity}: Showing,
  {overlay, overlayAsked = Infinity}: AppState,
): boolean {
  const isOpen = ({kind}: Overlay) => kind !== 'none' && kind !== 'first_keys';
  return isOpen(overlay) && !isOpen(began.overlay) && overlayAsked > asked;
}

/** Says which number a session has that was added and did not take the screen. */
export function notifyBehind(
  key: SessionKey,
  context: Pick<EffectContext, 'store'>,
  text: (place: string) => string,
): void {
  const state = context.store.latest();
  if (state.active !== key) notify(context, text(`in session ${sessionKeys(state).indexOf(key) + 1}`));
}

/** Opens a list, see `show`. */
export function showPicker(context: Showing, picker: Picker): undefined {
  return show(context, {kind: 'picker', picker});
}

/** The persistent part of a window's sessions. */
export interface SessionStorage {
  readonly sessions: SessionStore;
  readonly recording: Pick<WindowRecording, 'begin' | 'follow' | 'id'>;
  readonly saveHistory: (text: string) => void;
  /** Returns what a session in the background has not sent, which this window resumes, if it resumes one. */
  unsentOf(id: string | undefined): UnsentInput | undefined;
}

/** The sessions of the background service, as a window uses them. */
export interface BackgroundSessions {
  /** Starts a session there, if the settings say so or it ran there before. */
  start(begun: NewSessionOptions): AttachedSession | undefined;
  /** Shows a session; undefined if it does not run there. Fails if it does, and cannot be shown. */
  attach(stored: Pick<StoredSession, 'id' | 'openBy'>): Promise<Result<AttachedSession | undefined>>;
  /** Returns the service's process, and what runs there; undefined if it does not run. */
  running(): Promise<{readonly pid: number; readonly sessions: readonly RunningSession[]} | undefined>;
  /** Starts the service if it does not run. */
  reach(): Promise<Result<void>>;
  /** Resumes a stored session there that has ended here. */
  resume(moved: MovedSession): Promise<Result<void>>;
  /** Does so when the window has closed. */
  resumeAtEnd(moved: MovedSession): void;
}

/** A session that goes on in the background service. */
export interface MovedSession {
  /** Its stored id. */
  readonly id: string;
  readonly options: ConversationOptions;
}

/** How a session joins those that are open. */
export interface HowToOpen {
  /** The state when it was asked for: it does not take the screen if the user has gone on since. */
  readonly began?: AppState;
  /** True if it does not take the screen in any case. */
  readonly isBehind?: boolean;
  /** Gets the session, before it is open. */
  readonly onAdded?: (key: SessionKey) => void;
}

/** Options for opening a session in the window. */
export interface NewSessionOptions {
  readonly options: ConversationOptions;
  /** It runs in the background service already. */
  readonly attached?: AttachedSession;
  /** Its state; undefined for a new one. */
  readonly session?: SessionState;
  /** What is stored of it. */
  readonly before?: ResumeOrigin;
  /** True if it ran in the background service before. */
  readonly wasAttached?: boolean;
  /** True if it takes the place of a session without prompts also if one is queued there, which it gets. */
  readonly takesQueue?: boolean;
  /** What was made for it, and is removed if it does not begin. */
  readonly worktree?: Pick<NewWorktree, 'record' | 'discard'> | undefined;
  /** What has changed since, in sentences. */
  readonly problems?: readonly string[];
}

/** Returns what the state gets of a session. */
export function newTab(
  key: SessionKey,
  {options: {agent, cwd, additionalDirectories, approval}, attached, session}: NewSessionOptions,
): NewTab {
  return {
    key,
    agentLabel: agent.label,
    agentProgram: programOf(agent),
    session: attached?.session ?? session ?? initialSession({cwd, additionalDirectories, at: Date.now()}),
    approval: attached ? undefined : approval,
    now: Date.now(),
  };
}

/** The open sessions of a window. Those that start an agent in the same way share its process. */
export interface WindowSessions {
  /** Records a session in the state, and creates its client. */
  start(key: SessionKey, beginning: NewSessionOptions): {open(): Promise<Result<void>>};
  /** Opens another session and shows it, unless the user has gone on; resolves like `Conversation.open`. One that is shown replaces an unused session, see `takesQueue`. */
  open(beginning: NewSessionOptions, how?: HowToOpen): Promise<Result<void>>;
  /** Shows a session of the background service on the board only; returns its key. */
  peek(beginning: NewSessionOptions): SessionKey;
  /** Removes a session from the window; resolves when it has ended, or at once if it goes on in the background service. */
  leave(key: SessionKey): Promise<void>;
  /** Closes a session, which leaves the window at once; its agent ends in the background. The last one is replaced by a new one; a closed one is ignored. */
  close(key: SessionKey): void;
  optionsOf(key: SessionKey): ConversationOptions;
  clientOf(key: SessionKey): SessionActions;
  readonly finder: SessionFinder;
  readonly chooser: AgentChooser;
  /** Runs an effect of the window. */
  readonly perform: (effect: Effect) => void;
  closeAll(): Promise<void>;
  killNow(): void;
}

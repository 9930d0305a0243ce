import type {AppEvent} from '../../app/events.ts';
import {TOAST_MS} from '../../app/sessions.ts';
import type {AppState, SessionKey} from '../../app/state.ts';
import type {OverridingOptions, SettingPlaces} from '../../storage/settings/setting-sources.ts';
import type {Secrets} from '../../storage/mask.ts';
import type {RecordingLine} from '../../recording/format.ts';
import type {Store} from '../../shared/store.ts';
import type {AgentToAsk} from '../sessions/other-agents.ts';
import type {Client} from '../client.ts';
import type {PermissionRules} from '../trust/permission-rules.ts';
import type {Log, ClientOptions} from '../options.ts';
import type {WireViewer} from './wire-inspector.ts';
import type {ReportFault} from './faults.ts';
import type {SessionStore} from '../../storage/sessions/session-store.ts';
import type {SessionOrigin, StoredBefore} from '../../storage/sessions/stored-session.ts';
import type {RecordingBegun} from '../../storage/sessions/record-window.ts';
import type {SessionState} from '../../session/state.ts';
import type {Result} from '../../shared/failure.ts';
import type {SessionFinder} from '../sessions/session-finder.ts';
import type {AgentChooser} from '../agents/agent-chooser.ts';
import type {Effect} from '../../app/effects.ts';

/** Dependencies of effects on a window's sessions. */
export interface SessionEffectContext {
  readonly store: Store<AppState, AppEvent>;
  readonly sessions: WindowSessions;
  readonly storage: SessionStorage;
  readonly agentsToAsk?: () => readonly AgentToAsk[];
}

/** The sources of a window's settings. */
export interface WindowSettings extends Omit<SettingPlaces, 'cwd'> {
  /** Settings that the command line overrides. */
  readonly options: OverridingOptions;
}

/** Dependencies of a window's effects. */
export interface EffectContext extends SessionEffectContext {
  readonly clientOf: (key: SessionKey) => Client;
  readonly permissions: PermissionRules;
  readonly settings: WindowSettings;
  /** Values to mask in exports, besides apparent credentials. */
  readonly secrets?: Secrets;
  /** Returns the stored protocol messages. */
  readonly wireLines: () => readonly RecordingLine[];
  /** Folder for persistent files. */
  readonly stateFolder: string;
  readonly log: Log;
  readonly report: ReportFault;
  readonly quit: () => void;
  readonly wire: WireViewer;
}

/** Shows a toast. */
export function notify({store}: Pick<EffectContext, 'store'>, text: string): undefined {
  store.dispatch({type: 'toast_shown', text, until: performance.now() + TOAST_MS}, 'urgent');
}

/** The persistent part of a window's sessions. */
export interface SessionStorage {
  readonly sessions: SessionStore;
  readonly recording: {
    begin(key: SessionKey, origin: SessionOrigin): RecordingBegun;
    /** Returns the stored id of the session with this key. */
    id(key: SessionKey): string | undefined;
  };
  readonly saveHistory: (text: string) => void;
}

/** Options for opening another session in the window. */
export interface NewSessionOptions {
  readonly options: ClientOptions;
  /** Its state; undefined for a new one. */
  readonly session?: SessionState;
  /** What is stored of it. */
  readonly before?: StoredBefore;
  /** What has changed since, in sentences. */
  readonly problems?: readonly string[];
}

/** The open sessions of a window. Those that start an agent in the same way share its process. */
export interface WindowSessions {
  /** Starts the agent of a session in the state. */
  start(key: SessionKey, options: ClientOptions): Client;
  /** Opens another session and shows it; resolves like `Client.open`. Replaces an unused session. */
  open(beginning: NewSessionOptions): Promise<Result<void>>;
  /** Closes a session, which leaves the window at once; its agent ends in the background. The last one is replaced by a new one; a closed one is ignored. */
  close(key: SessionKey): void;
  optionsOf(key: SessionKey): ClientOptions;
  clientOf(key: SessionKey): Client;
  readonly finder: SessionFinder;
  readonly chooser: AgentChooser;
  /** Runs an effect of the window. */
  readonly perform: (effect: Effect) => void;
  closeAll(): Promise<void>;
  killNow(): void;
}

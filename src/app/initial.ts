import type {ApprovalLevel} from '../session/settings/approval.ts';
import {openedWith} from '../session/queue/interrupted-prompt.ts';
import type {SessionState} from '../session/state.ts';
import {emptyHistory} from './editor/history.ts';
import {defaultKeymap} from './keymap/keymap.ts';
import {emptyDraft} from './editor/draft.ts';
import type {AgentProgram, AppState, OpenSession, SessionKey} from './state.ts';
import type {Preferences} from './preferences.ts';
import {followRequests} from './requests/request-guard.ts';
import {activeSession} from './sessions.ts';
import {foldedViewer} from './pages/viewer.ts';
import type {ScreenMode} from './pages/viewer-state.ts';

export interface AddedSession {
  readonly key: SessionKey;
  readonly agentLabel: string;
  readonly agentProgram?: AgentProgram;
  readonly session: SessionState;
  /** Undefined for a session that is open already, in the background service. */
  readonly approval: ApprovalLevel | undefined;
  /** Time on the window's clock; undefined at its start. */
  readonly at?: number;
}

/** Returns the visible part of an agent's command: never its environment. */
export function programOf({command, args}: AgentProgram): AgentProgram {
  return {command, args};
}

/** Returns a new open session. */
export function openedSession(start: AddedSession): OpenSession {
  const {key, agentLabel, agentProgram, session, approval, at = 0} = start;
  return {
    key,
    agentLabel,
    agentProgram,
    session: approval === undefined ? session : openedWith(session, approval),
    isAttached: approval === undefined,
    since: {connection: at, turn: at, tool: at, activity: at, cancel: at},
    draft: emptyDraft,
    forms: {},
    offerDue: false,
  };
}

/** How a window starts; preferences that are not set have their defaults. */
interface WindowStart extends Partial<Preferences> {
  readonly session: AddedSession;
  readonly theme: string;
  readonly screen?: ScreenMode;
}

const DEFAULTS: Omit<Preferences, 'theme'> = {
  keymap: defaultKeymap,
  keyProblems: [],
  editing: 'readline',
  requireReading: 'commands',
  ownThemes: [],
  agentColors: undefined,
  reducedMotion: false,
  notifications: 'all',
  sidePanel: true,
  mouse: true,
  images: 'auto',
};

/** Returns a window with one session. */
export function initialApp({session, screen = 'inline', ...preferences}: WindowStart): AppState {
  const window: AppState = {
    ...DEFAULTS,
    ...preferences,
    sessions: {[session.key]: openedSession(session)},
    active: session.key,
    overlay: {kind: 'none'},
    screen,
    viewer: foldedViewer,
    focus: {kind: 'prompt'},
    menu: {selected: 0, dismissed: false},
    history: emptyHistory,
    recentSessions: [],
    lastTypedAt: -Infinity,
    heldKeys: [],
    serial: 0,
  };
  // A session of the background service may wait for an answer already.
  return followRequests(window, activeSession(window).session, 0);
}

import type {ApprovalLevel} from '../session/settings/approval.ts';
import {runningTools} from '../session/selectors.ts';
import {withInitialQueue} from '../session/queue/interrupted-prompt.ts';
import type {SessionState} from '../session/state.ts';
import {emptyHistory} from './editor/history.ts';
import {defaultKeymap} from './keymap/keymap.ts';
import {emptyDraft} from './editor/draft.ts';
import type {AgentProgram, AppState, Tab, SessionKey, SessionTimes} from './state.ts';
import type {Preferences} from './preferences.ts';
import {followRequests} from './requests/request-guard.ts';
import {activeSession} from './sessions.ts';
import {foldedViewer} from './pages/viewer.ts';
import type {ScreenMode} from './pages/viewer-state.ts';

export interface NewTab {
  readonly key: SessionKey;
  readonly agentLabel: string;
  readonly agentProgram?: AgentProgram;
  readonly session: SessionState;
  /** Undefined for a session that is open already, in the background service. */
  readonly approval: ApprovalLevel | undefined;
  /** Time on the window's clock; undefined at its start. */
  readonly at?: number;
  /** Time in milliseconds since the epoch, for a session that may be working already. */
  readonly now?: number;
}

/** Returns the visible part of an agent's command: never its environment. */
export function programOf({command, args}: AgentProgram): AgentProgram {
  return {command, args};
}

/** Returns a new open session. */
export function createTab(start: NewTab): Tab {
  const {key, agentLabel, agentProgram, session, approval} = start;
  return {
    key,
    agentLabel,
    agentProgram,
    session: approval === undefined ? session : withInitialQueue(session, approval),
    isAttached: approval === undefined,
    since: timesOf(start),
    draft: emptyDraft,
    forms: {},
    offerDue: false,
  };
}

/** Returns since when a session does what it does, on the window's clock: its turn may have begun before it was shown. */
function timesOf({session, at = 0, now}: NewTab): SessionTimes {
  const {turn} = session;
  const since = (then: number | undefined) =>
    then === undefined || now === undefined ? at : at - Math.max(0, now - then);
  const tool = runningTools(session).at(-1)?.at;
  const isIdle = turn.kind === 'idle';
  return {
    session: since(session.entries.get(session.sessionStart)?.at),
    connection: at,
    turn: since(isIdle ? undefined : turn.startedAt),
    tool: since(tool),
    activity: since(isIdle ? undefined : turn.lastActivityAt),
    cancel: at,
  };
}

/** How a window starts; preferences that are not set have their defaults. */
interface WindowStart extends Partial<Preferences> {
  readonly session: NewTab;
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
  promptSuggestions: true,
  mouse: true,
  images: 'auto',
};

/** Returns a window with one session. */
export function initialApp({session, screen = 'inline', ...preferences}: WindowStart): AppState {
  const window: AppState = {
    ...DEFAULTS,
    ...preferences,
    sessions: {[session.key]: createTab(session)},
    active: session.key,
    overlay: {kind: 'none'},
    screen,
    viewer: foldedViewer,
    focus: {kind: 'prompt'},
    menu: {selected: 0, dismissed: false},
    history: emptyHistory,
    recentSessions: [],
    agentNames: [],
    waitingElsewhere: [],
    lastTypedAt: -Infinity,
    heldKeys: [],
    hints: 0,
    serial: 0,
  };
  // A session of the background service may wait for an answer already.
  return followRequests(window, activeSession(window).session, 0);
}

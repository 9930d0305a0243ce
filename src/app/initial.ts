import type {ApprovalLevel} from '../session/actions.ts';
import type {SessionState} from '../session/state.ts';
import {emptyHistory} from './editor/history.ts';
import type {ReadKeys} from './keymap/key-settings.ts';
import {interruptedPromptIn} from './recovery/interrupted-prompt.ts';
import {defaultKeymap} from './keymap/keymap.ts';
import {emptyDraft} from './editor/draft.ts';
import type {
  AgentProgram,
  AppState,
  Editing,
  ImageLevel,
  NotificationLevel,
  OpenSession,
  SessionKey,
} from './state.ts';
import type {ReadingLevel} from './requests/seen-rows.ts';
import {foldedViewer} from './pages/viewer.ts';
import type {ScreenMode} from './pages/viewer-state.ts';
import type {AgentColors, Theme} from './themes/themes.ts';

interface SessionStart {
  readonly key: SessionKey;
  readonly agentLabel: string;
  readonly agentProgram?: AgentProgram;
  readonly session: SessionState;
  readonly approval: ApprovalLevel;
  /** Time on the window's clock; undefined at its start. */
  readonly at?: number;
}

/** Returns the visible part of an agent's command: never its environment. */
export function programOf({command, args}: AgentProgram): AgentProgram {
  return {command, args};
}

/** Returns a new open session; an earlier run may have left an interrupted prompt in it. */
export function openedSession(start: SessionStart): OpenSession {
  const {key, agentLabel, agentProgram, session, approval, at = 0} = start;
  const interruptedPrompt = interruptedPromptIn(session);
  return {
    key,
    agentLabel,
    agentProgram,
    branch: undefined,
    session,
    left: undefined,
    since: {connection: at, turn: at, tool: at, activity: at, cancel: at},
    draft: emptyDraft,
    note: undefined,
    forms: {},
    queue: [],
    queuePaused: false,
    editedPlace: undefined,
    waitsForTrust: false,
    outputs: [],
    sending: false,
    lastPrompt: interruptedPrompt,
    interruptedPrompt,
    approval,
    offerDue: false,
  };
}

export interface WindowStart {
  readonly session: SessionStart;
  readonly theme: string;
  readonly keys?: WindowKeys;
  readonly editing?: Editing;
  readonly requireReading?: ReadingLevel;
  readonly screen?: ScreenMode;
  readonly ownThemes?: readonly Theme[];
  readonly agentColors?: AgentColors | undefined;
  readonly reducedMotion?: boolean;
  readonly notifications?: NotificationLevel;
  readonly sidePanel?: boolean;
  readonly mouse?: boolean;
  readonly images?: ImageLevel;
}

type WindowKeys = Pick<ReadKeys, 'keymap' | 'problems'>;

const defaultKeys: WindowKeys = {keymap: defaultKeymap, problems: []};

/** Returns a window with one session. */
export function initialApp({
  session,
  theme,
  keys = defaultKeys,
  editing = 'readline',
  requireReading = 'commands',
  screen = 'inline',
  ownThemes = [],
  agentColors,
  reducedMotion = false,
  notifications = 'all',
  sidePanel = true,
  mouse = true,
  images = 'auto',
}: WindowStart): AppState {
  return {
    sessions: {[session.key]: openedSession(session)},
    active: session.key,
    overlay: {kind: 'none'},
    screen,
    sidePanel,
    mouse,
    images,
    graphics: undefined,
    viewer: foldedViewer,
    focus: {kind: 'prompt'},
    request: undefined,
    menu: {selected: 0, dismissed: false},
    files: undefined,
    history: emptyHistory,
    keymap: keys.keymap,
    keyProblems: keys.problems,
    editing,
    requireReading,
    reducedMotion,
    notifications,
    theme,
    ownThemes,
    agentColors,
    recentSessions: [],
    background: undefined,
    toast: undefined,
    leaveArmedUntil: undefined,
    rewindArmedUntil: undefined,
    interrupted: undefined,
    lastTypedAt: -Infinity,
    lastKey: undefined,
    heldKeys: [],
    ignoreKeysUntil: undefined,
    screenColumns: undefined,
    replay: undefined,
    serial: 0,
  };
}

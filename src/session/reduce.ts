import {cleanEvent} from './clean.ts';
import {agentInitialized, connectionChanged} from './connection.ts';
import {elicitationCompleted, elicitationRequested, elicitationResolved} from './elicitations.ts';
import type {SessionEvent, SessionEventOf, SessionEventType} from './events.ts';
import {imported} from './imported.ts';
import {sessionOpened} from './opening.ts';
import {permissionRequested, permissionResolved, permissionRuleOffered} from './permissions.ts';
import {configOptionsSet, modelSet, modeSet} from './settings.ts';
import {foldToldUpdate, replayStarted} from './replay.ts';
import type {SessionState} from './state.ts';
import {
  terminalCreated,
  terminalDrawn,
  terminalExited,
  terminalOutput,
  terminalReleased,
  terminalWaits,
} from './terminals.ts';
import {appendEntry} from './transcript.ts';
import {cancelRequested, noteActivity, promptEnded, promptStarted, promptSteered} from './turns.ts';
import {renamed} from './titles.ts';

type Handlers = {
  readonly [Type in SessionEventType]: (state: SessionState, event: SessionEventOf<Type>) => SessionState;
};

const handlers: Handlers = {
  connection_changed: connectionChanged,
  agent_initialized: agentInitialized,
  auth_status_told: (state, {status}) =>
    state.agent ? {...state, agent: {...state.agent, authStatus: status}} : state,
  session_opened: sessionOpened,
  session_update: (state, {update, at}) => foldToldUpdate(state, update, at),
  replay_started: (state, {at}) => replayStarted(state, at),
  replay_dropped: (state) => ({...state, replay: undefined}),
  renamed,
  imported,
  folder_added: (state, {path}) => ({
    ...state,
    additionalDirectories: [...state.additionalDirectories, path],
  }),
  prompt_started: promptStarted,
  prompt_steered: promptSteered,
  prompt_ended: promptEnded,
  cancel_requested: cancelRequested,
  permission_requested: permissionRequested,
  permission_rule_offered: permissionRuleOffered,
  permission_resolved: permissionResolved,
  elicitation_requested: elicitationRequested,
  elicitation_resolved: elicitationResolved,
  elicitation_completed: elicitationCompleted,
  elicitation_refused: (state, {text, at}) =>
    appendEntry(state, {type: 'notice', level: 'warning', text, source: 'client'}, at),
  terminal_created: terminalCreated,
  terminal_output: terminalOutput,
  terminal_drawn: terminalDrawn,
  terminal_waits: terminalWaits,
  terminal_exited: terminalExited,
  terminal_released: terminalReleased,
  mode_set: modeSet,
  model_set: modelSet,
  config_options_set: configOptionsSet,
  notice: (state, {level, text, at}) =>
    appendEntry(state, {type: 'notice', level, text, source: 'client'}, at),
};

/** Whether `reduce` knows events of this type: stored ones may come from a newer version. */
export function isSessionEventType(type: string): type is SessionEventType {
  return Object.hasOwn(handlers, type);
}

/** What shows that the agent works on the turn. */
const SIGNS_OF_LIFE: ReadonlySet<SessionEventType> = new Set([
  'session_update',
  'permission_requested',
  'elicitation_requested',
  'elicitation_completed',
  'terminal_created',
  'terminal_output',
  'terminal_exited',
]);

/** The user's own commands say nothing of the agent. */
function isUsers({terminals}: SessionState, event: SessionEvent): boolean {
  return 'terminalId' in event && terminals[event.terminalId]?.runBy === 'user';
}

/** Folds one event into a session. Pure; never throws, whatever an agent sends. */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  const handle = handlers[event.type] as (state: SessionState, event: SessionEvent) => SessionState;
  const folded = handle(state, cleanEvent(event));
  return SIGNS_OF_LIFE.has(event.type) && !isUsers(folded, event) ? noteActivity(folded, event.at) : folded;
}

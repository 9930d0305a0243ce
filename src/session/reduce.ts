import type * as acp from '@agentclientprotocol/sdk/unstable';
import {LIMITS} from '../shared/limits.ts';
import type {Entry} from './entries.ts';
import type {SessionEvent, SessionEventOf, SessionEventType, ImportedSubagent, Update} from './events.ts';
import {initialSession} from './initial.ts';
import {agentInitialized, connectionChanged} from './lifecycle/connection.ts';
import {sessionOpened} from './lifecycle/opening.ts';
import {replayStarted} from './lifecycle/replay.ts';
import {elicitationCompleted, elicitationRequested, elicitationResolved} from './requests/elicitations.ts';
import {
  permissionOutdated,
  permissionRequested,
  permissionResolved,
  permissionRuleOffered,
} from './requests/permissions.ts';
import {changeQueue} from './queue/change-queue.ts';
import {followSession} from './queue/follow-session.ts';
import {withChangedComments} from './content/comment-blocks.ts';
import {sanitizeEvent} from './sanitize-events.ts';
import {messageText} from './selectors.ts';
import {configOptionsSet, modelSet, modeSet} from './settings/settings.ts';
import type {SessionState} from './state.ts';
import {
  terminalCreated,
  terminalDrawn,
  terminalExited,
  terminalOutput,
  terminalReleased,
  terminalWaits,
  unseenTerminal,
} from './terminals/terminals.ts';
import {IdMap} from './terminals/id-map.ts';
import {applyAnnouncement, applySubagentUpdate} from './subagents/fold.ts';
import {noSubagents} from './subagents/tree.ts';
import {renamed} from './titles.ts';
import {EntryList, wireIdOf} from './transcript/entry-list.ts';
import {isAskedWhileLoading} from './transcript/call-ids.ts';
import {isCallUpdate} from './transcript/tool-status.ts';
import {appendEntry, completeMessages, findEntry} from './transcript/transcript.ts';
import {
  cancelRequested,
  noteActivity,
  promptEnded,
  promptStarted,
  promptSteered,
} from './transcript/turns.ts';
import {applyUpdate} from './updates.ts';

type Handlers = {
  readonly [Type in SessionEventType]: (state: SessionState, event: SessionEventOf<Type>) => SessionState;
};

const handlers: Handlers = {
  connection_changed: connectionChanged,
  agent_initialized: agentInitialized,
  sandbox_changed: (state, {sandbox}) => ({...state, sandbox}),
  auth_status_reported: (state, {status}) =>
    state.agent ? {...state, agent: {...state.agent, authStatus: status}} : state,
  session_opened: sessionOpened,
  session_update: (state, {update, at}) => updateReceived(state, {update, of: undefined, at}),
  subagent_updated: (state, {sessionId, update, at}) => updateReceived(state, {update, of: sessionId, at}),
  replay_started: (state, {at}) => replayStarted(state, at),
  replay_dropped: (state) => ({...state, replay: undefined}),
  renamed,
  imported,
  folder_added: (state, {path}) => ({
    ...state,
    additionalDirectories: [...state.additionalDirectories, path],
    realFolders: {...state.realFolders, [path]: path},
  }),
  folders_resolved: (state, {real}) => ({...state, realFolders: {...state.realFolders, ...real}}),
  prompt_started: promptStarted,
  snapshot_awaited: (state, {isAwaited}) =>
    state.turn.kind === 'idle' ? state : {...state, turn: {...state.turn, awaitsSnapshot: isAwaited}},
  prompt_steered: promptSteered,
  prompt_ended: promptEnded,
  cancel_requested: cancelRequested,
  permission_requested: permissionRequested,
  permission_rule_offered: permissionRuleOffered,
  permission_outdated: permissionOutdated,
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
  mcp_server_state: (state, {name, state: now}) => ({
    ...state,
    ownServers: {...state.ownServers, [name]: now},
  }),
  turn_changes: (state, {turn, files, added, removed, changedComments = []}) => ({
    ...withChangedComments(state, changedComments),
    turnChanges: {turn, files, added, removed},
  }),
  unreviewed_changes: (state, {files, listed}) => ({...state, unreviewed: {files, listed}}),
  queue_changed: (state, {change}) => changeQueue(state, change),
  approval_changed: (state, {approval}) => ({...state, approval}),
  custom_commands_changed: (state, {commands}) => ({...state, customCommands: commands}),
  notice: (state, {level, text, isLimit, setting, providers, at}) => {
    const {startWarnings = []} = state;
    const noted = {
      ...state,
      ...(isLimit && {limitReached: text}),
      ...(providers && {ownProviders: providers}),
      ...(setting !== undefined && {startWarnings: [...startWarnings, {setting, text}]}),
    };
    return appendEntry(noted, {type: 'notice', level, text, source: 'client'}, at);
  },
};

/** Events that only concern the running session: in a file, which may come from somebody else, they are ignored. */
const LIVE_ONLY = ['queue_changed', 'approval_changed', 'custom_commands_changed'] as const;

export type StoredEventType = Exclude<SessionEventType, (typeof LIVE_ONLY)[number]>;

/** True for the types of events that are stored. */
export function isStoredEventType(type: SessionEventType): type is StoredEventType {
  const liveOnly: readonly SessionEventType[] = LIVE_ONLY;
  return !liveOnly.includes(type);
}

/** Events that show that the agent works on the turn. */
const SIGNS_OF_LIFE: ReadonlySet<SessionEventType> = new Set([
  'session_update',
  'subagent_updated',
  'permission_requested',
  'elicitation_requested',
  'elicitation_completed',
  'terminal_created',
  'terminal_output',
  'terminal_exited',
]);

/** Events of the user's own commands say nothing about the agent. */
function isUsers({terminals}: SessionState, event: SessionEvent): boolean {
  return 'terminalId' in event && terminals.get(event.terminalId)?.runBy === 'user';
}

/** Applies one event to a session. Pure; never throws, whatever an agent sends. */
export function reduce(state: SessionState, event: SessionEvent): SessionState {
  const handle = handlers[event.type] as (state: SessionState, event: SessionEvent) => SessionState;
  const folded = handle(state, sanitizeEvent(event));
  const lives = SIGNS_OF_LIFE.has(event.type) && !isUsers(folded, event);
  // While a request is pending, it is the agent that waits.
  const isAnswered = folded.pending.length < state.pending.length;
  return followSession(state, lives || isAnswered ? noteActivity(folded, event.at) : folded, event);
}

interface AddressedUpdate {
  readonly update: Update;
  /** The subagent whose session is updated; undefined for the session itself. */
  readonly of: acp.SessionId | undefined;
  readonly at: number;
}

/** Applies an update to its transcript; during a replay, to that of the replay. */
function updateReceived(state: SessionState, addressed: AddressedUpdate): SessionState {
  const {replay, pending} = state;
  const {update, of} = addressed;
  const isAsked =
    of === undefined && isCallUpdate(update) && isAskedWhileLoading(state, wireIdOf(update.toolCallId));
  if (replay === undefined || isAsked) return applyAddressedUpdate(state, addressed);
  // An entry after a repeated one does not continue the one before.
  if (of === undefined && repeats(replay, update)) return {...state, replay: completeMessages(replay)};
  // Pending requests may refer to calls in the replay.
  const folded = applyAddressedUpdate({...replay, pending}, addressed);
  return {...state, pending: folded.pending, replay: {...folded, pending: []}};
}

function applyAddressedUpdate(state: SessionState, {update, of, at}: AddressedUpdate): SessionState {
  if (update.sessionUpdate === 'subagent_update') return applyAnnouncement(state, update, {parent: of, at});
  return of === undefined ? applyUpdate(state, update, at) : applySubagentUpdate(state, {update, of, at});
}

/** True if a whole message is sent again with the same id; some agents replay twice. */
function repeats(replay: SessionState, update: Update): boolean {
  if (update.sessionUpdate !== 'user_message_chunk' && update.sessionUpdate !== 'agent_message_chunk')
    return false;
  const {messageId, content} = update;
  if (messageId === undefined || messageId === null || content.type !== 'text') return false;
  const type = update.sessionUpdate === 'user_message_chunk' ? 'user_message' : 'agent_message';
  const entry = replay.entries.get(findEntry(replay, type, messageId));
  return entry?.type === type && entry.complete && messageText(entry) === content.text;
}

/** Imports a whole session, for reading only. */
function imported(
  state: SessionState,
  {title, entries, subagents = [], terminals, at}: SessionEventOf<'imported'>,
): SessionState {
  const kept = terminals.map((terminal) => ({
    ...unseenTerminal(terminal.id, terminal.runBy),
    ...terminal,
    released: true,
  }));
  return {
    ...state,
    connection: {kind: 'closed'},
    title,
    unused: false,
    entries: importedEntries(entries),
    subagents: importedSubagents(state, subagents, at),
    terminals: IdMap.from(kept),
  };
}

function importedSubagents(
  {cwd, additionalDirectories}: SessionState,
  subagents: readonly ImportedSubagent[],
  at: number,
): SessionState['subagents'] {
  const parents = new Map(subagents.map(({id, parent}) => [id, parent]));
  const kept = subagents
    .filter(({id}) => belongsToRoot(id, parents))
    .map(({id, parent, title, entries}) => {
      const begun = initialSession({cwd, additionalDirectories, at});
      const session = {...begun, sessionId: id, title, entries: importedEntries(entries)};
      return [id, {parent, session}] as const;
    });
  return Object.assign(noSubagents(), Object.fromEntries(kept));
}

/** False if the chain of parents is broken or circular. */
function belongsToRoot(id: string, parents: ReadonlyMap<string, string | undefined>): boolean {
  let each: string | undefined = id;
  for (let depth = 0; depth < LIMITS.subagentLevels; depth++) {
    if (each === undefined) return true;
    if (!parents.has(each)) return false;
    each = parents.get(each);
  }
  return false;
}

function importedEntries(entries: readonly Entry[]): EntryList {
  return EntryList.from(entries.map((entry, index): Entry => ({...finished(entry), id: String(index)})));
}

function finished(entry: Entry): Entry {
  return 'complete' in entry ? {...entry, complete: true} : entry;
}

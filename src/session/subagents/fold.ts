import type * as acp from '@agentclientprotocol/sdk/unstable';
import {LIMITS} from '../../shared/limits.ts';
import type {Update, UpdateOf} from '../events.ts';
import {initialSession} from '../initial.ts';
import {endTerminals} from '../terminals/terminals.ts';
import type {SessionState} from '../state.ts';
import {cancelToolCalls} from '../transcript/tool-calls.ts';
import {appendEntry, changeEntries, completeMessages, patch} from '../transcript/transcript.ts';
import {applyUpdate} from '../updates.ts';
import {ancestorsOf, changeSession, isWorking, withActivity, withSubagent} from './tree.ts';

/** Applies an update to a subagent's transcript; ignored if there is no such subagent. */
export function applySubagentUpdate(
  state: SessionState,
  {update, of, at}: {readonly update: Update; readonly of: acp.SessionId; readonly at: number},
): SessionState {
  const known = state.subagents[of];
  if (known === undefined) return state;
  const own = state.pending.filter(({subagent}) => subagent === of);
  // Pending requests, terminals and the sandbox are those of the root session.
  const {terminals: all, sandbox: around} = state;
  const withOwnRequests = {...known.session, pending: own, terminals: all, sandbox: around};
  // Options that the parent chose for it are not reported as changes.
  const updated =
    update.sessionUpdate === 'config_option_update'
      ? {...withOwnRequests, configOptions: update.configOptions}
      : applyUpdate(withOwnRequests, update, at);
  const {title, terminals} = known.session;
  const session = {...updated, title, terminals, pending: []};
  const folded = {...withSubagent(state, of, {...known, session}), terminals: updated.terminals};
  if (updated.pending === own) return folded;
  const changed = new Map(updated.pending.map((request) => [request.id, request]));
  return {...folded, pending: state.pending.map((request) => changed.get(request.id) ?? request)};
}

interface Announcement {
  readonly parent: acp.SessionId | undefined;
  readonly at: number;
}

/** Applies an update about a subagent. Ignored beyond a limit, or if it would give the subagent a second parent, or make it its own ancestor. */
export function applyAnnouncement(
  state: SessionState,
  update: UpdateOf<'subagent_update'>,
  {parent, at}: Announcement,
): SessionState {
  if (!canAnnounce(state, update.sessionId, parent)) return state;
  const updated = changeSession(state, parent, (session) => applyUpdate(session, update, at));
  const begun = begin(updated, update, {parent, at});
  const text = state.subagents[update.sessionId] ? undefined : reachedLimit(begun, update.sessionId);
  return text === undefined
    ? begun
    : appendEntry(begun, {type: 'notice', level: 'warning', text, source: 'client'}, at);
}

/** Returns what to say if there may be no more subagents than this one, or none below it. */
function reachedLimit(state: SessionState, id: acp.SessionId): string | undefined {
  const {subagents, subagentLevels} = LIMITS;
  if (Object.keys(state.subagents).length === subagents)
    return `The agent has started ${subagents} subagents; more are not shown, and their requests are refused.`;
  if ([...ancestorsOf(state, id)].length === subagentLevels)
    return `Subagents are nested ${subagentLevels} levels deep; those below are not shown, and their requests are refused.`;
  return undefined;
}

function canAnnounce(state: SessionState, id: acp.SessionId, parent: acp.SessionId | undefined): boolean {
  if (id === state.sessionId) return false;
  const known = state.subagents[id];
  if (known) return known.parent === parent;
  if (Object.keys(state.subagents).length >= LIMITS.subagents) return false;
  if (parent === undefined) return true;
  const depth = [...ancestorsOf(state, parent)].length;
  return depth > 0 && depth < LIMITS.subagentLevels;
}

/** Starts the transcript of a subagent with the first update about it, and closes what is open when its work ends. */
function begin(
  state: SessionState,
  {sessionId, title, description, cwd, additionalDirectories, state: activity}: UpdateOf<'subagent_update'>,
  {parent, at}: Announcement,
): SessionState {
  const known = state.subagents[sessionId]?.session;
  const around = (parent === undefined ? undefined : state.subagents[parent]?.session) ?? state;
  const place = {
    cwd: cwd ?? known?.cwd ?? around.cwd,
    additionalDirectories:
      additionalDirectories ?? known?.additionalDirectories ?? around.additionalDirectories,
  };
  const begun: SessionState = known ?? {
    ...initialSession({...place, at}),
    sessionId,
    connection: {kind: 'ready'},
  };
  const named = patch(begun.title, title) ?? description ?? undefined;
  const session = {...begun, ...place, title: named};
  const isOver = activity !== undefined && !isWorking({state: activity?.state});
  return withSubagent(state, sessionId, {parent, session: isOver ? rested(session, activity, at) : session});
}

function rested(session: SessionState, activity: acp.StateUpdate | null, at: number): SessionState {
  const complete = {...completeMessages(session), askableFrom: session.entries.length};
  const stopReason = activity && 'stopReason' in activity ? activity.stopReason : undefined;
  return stopReason === 'cancelled' || stopReason === 'error' ? cancelToolCalls(complete, 0, at) : complete;
}

/** Ends what an agent has left running since an entry, because it is gone or has another session open; its subagents become unknown. */
export function endAgentWork(before: SessionState, at: number, from = before.sessionStart): SessionState {
  const state = cancelToolCalls(completeMessages(before), from, at);
  const ended = endTerminals(state, 'agent');
  let lost = loseIn({...ended, live: undefined}, at);
  for (const [id, known] of Object.entries(state.subagents)) {
    const session = loseIn(cancelToolCalls(completeMessages(known.session), 0, at), at);
    if (session !== known.session) lost = withSubagent(lost, id, {...known, session});
  }
  return lost;
}

function loseIn(session: SessionState, at: number): SessionState {
  return changeEntries(session, 0, (entry) =>
    entry.type === 'subagent' && isWorking(entry)
      ? {...entry, ...withActivity(entry, {state: 'unknown'}, at), canCancel: false}
      : entry,
  );
}

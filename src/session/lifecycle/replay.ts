import type * as acp from '@agentclientprotocol/sdk/unstable';
import {messageText} from '../selectors.ts';
import type {Update} from '../events.ts';
import {initialSession} from '../initial.ts';
import {List} from '../transcript/persistent-list.ts';
import {mergeReplay} from './merge-replay.ts';
import type {SessionState, SubagentState} from '../state.ts';
import {foldSessionTree} from '../subagents/fold.ts';
import {cancelToolCalls} from '../transcript/tool-calls.ts';
import {completeMessages, findEntry} from '../transcript/transcript.ts';
import {foldUpdate} from '../updates.ts';
import {noSubagents} from '../subagents/tree.ts';

/** Starts a replay: the agent sends the conversation from its beginning ("Loading Sessions"). */
export function replayStarted(state: SessionState, at: number): SessionState {
  const {cwd, additionalDirectories} = state;
  const {sessionId} = state;
  return {...state, replay: {...initialSession({cwd, additionalDirectories, at}), sessionId}};
}

/** Applies an update of the session, or of the subagent `of`; to the replay during a replay. */
export function foldReplayedUpdate(
  state: SessionState,
  replayed: {readonly update: Update; readonly of: acp.SessionId | undefined; readonly at: number},
): SessionState {
  const {replay, pending} = state;
  if (replay === undefined) return foldSessionTree(state, replayed, foldUpdate);
  // An entry after a repeated one does not continue the one before.
  if (replayed.of === undefined && repeats(replay, replayed.update))
    return {...state, replay: completeMessages(replay)};
  // Pending requests may refer to calls in the replay.
  const folded = foldSessionTree({...replay, pending}, replayed, foldUpdate);
  return {...state, pending: folded.pending, replay: {...folded, pending: []}};
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

/** The replay is complete: merges it with the stored transcript. */
export function replayMerged(state: SessionState, at: number): SessionState {
  if (state.replay === undefined) return state;
  const replayed = completeMessages(cancelToolCalls(state.replay, 0, at));
  const before = state.entries.slice(0, state.sessionStart);
  const ours = state.entries.slice(state.sessionStart);
  const merged = mergeReplay(ours, replayed.entries.slice(), state.entries.length);
  const isNew = merged !== ours;
  return {
    ...state,
    replay: undefined,
    entries: isNew ? List.from([...before, ...merged]) : state.entries,
    rearranged: isNew ? state.rearranged + 1 : state.rearranged,
    streaming: [],
    title: replayed.title ?? state.title,
    commands: replayed.commands.length > 0 ? replayed.commands : state.commands,
    modes: replayed.modes ?? state.modes,
    configOptions: replayed.configOptions ?? state.configOptions,
    usage: replayed.usage ?? state.usage,
    terminals: {...replayed.terminals, ...state.terminals},
    subagents: mergeSubagents(state.subagents, replayed.subagents),
  };
}

type Subagents = SessionState['subagents'];

/** Merges the stored transcripts of subagents with the agent's replay ("Loading Sessions"). */
function mergeSubagents(ours: Subagents, theirs: Subagents): Subagents {
  const merged = Object.entries(theirs).map(([id, theirs]) => [id, joined(ours[id], theirs)] as const);
  return merged.length === 0 ? ours : Object.assign(noSubagents(), ours, Object.fromEntries(merged));
}

function joined(mine: SubagentState | undefined, theirs: SubagentState): SubagentState {
  if (mine === undefined) return theirs;
  const {entries, rearranged} = mine.session;
  const before = entries.slice();
  const after = mergeReplay(before, theirs.session.entries.slice(), entries.length);
  if (after === before) return mine;
  const session = {...mine.session, entries: List.from(after), rearranged: rearranged + 1, streaming: []};
  return {...mine, session};
}

import type {CursorUpdate, PromptSuggestions, StateUpdate} from '../events.ts';
import type {CursorChange, LiveState, SessionState} from '../state.ts';
import {endPlans} from '../transcript/plans.ts';
import {cancelToolCalls} from '../transcript/tool-calls.ts';
import {completeMessages} from '../transcript/transcript.ts';

function withLive(state: SessionState, live: LiveState): SessionState {
  return {...state, live: {...state.live, ...live}};
}

/**
 * "Prompt Lifecycle": the agent works, with or without a prompt, or is idle. When work of its own ends, what it left open has ended, too. Any other state, such
 * as `unknown`, neither begins nor ends work.
 */
export function stateUpdated(
  state: SessionState,
  {state: name, background}: StateUpdate,
  at: number,
): SessionState {
  const needsUser = name === 'requires_action';
  const isWorking = needsUser || name === 'running';
  const known = name === 'idle' ? undefined : state.live?.work;
  const work = isWorking ? {since: known?.since ?? at, needsUser} : known;
  const updated = withLive(state, {work, ...(background && {background})});
  if (name !== 'idle' || state.turn.kind !== 'idle' || state.live?.work === undefined) return updated;
  return endPlans(completeMessages(updated), at);
}

/**
 * In version 1 the end of a turn ends what its agent began in it, also if the agent reports work and not its end. In version 2 a turn ends with its work, and what
 * began since, while its end was handled, goes on.
 */
export function turnWorkEnded(state: SessionState, startedAt: number): SessionState {
  const {work} = state.live ?? {};
  const isOver = state.agent?.protocolVersion !== 2 && work && work.since >= startedAt;
  return isOver ? withLive(state, {work: undefined}) : state;
}

/** The user cancelled what the agent does by itself: its unfinished calls count as cancelled. */
export function ownWorkCancelled(state: SessionState, at: number): SessionState {
  const since = state.live?.work?.since;
  if (since === undefined) return state;
  const before = state.entries.findLastIndex((entry) => entry.at < since);
  return cancelToolCalls(state, before + 1, at);
}

/** "Session cursors": a position is fixed, but whether it can be used may change. */
export function cursorUpdated(state: SessionState, {cursorId, canFork, anchor}: CursorUpdate): SessionState {
  const change = {cursorId, ...(canFork !== undefined && {canFork}), ...(anchor && {anchor})};
  return withLive(state, {cursors: {...change, before: state.live?.cursors}});
}

type Cursor = Pick<CursorChange, 'canFork' | 'anchor'>;

/** Returns the cursors of a running agent by their ids, oldest first. */
export function cursorsOf({live}: SessionState): ReadonlyMap<string, Cursor> {
  const changes: CursorChange[] = [];
  for (let each = live?.cursors; each; each = each.before) changes.push(each);
  const cursors = new Map<string, Cursor>();
  for (const {cursorId, before: _, ...change} of changes.toReversed())
    cursors.set(cursorId, {...cursors.get(cursorId), ...change});
  return cursors;
}

export function promptSuggested(state: SessionState, {suggestions}: PromptSuggestions): SessionState {
  return withLive(state, {suggestion: suggestions[0]});
}

/** True during a turn, and while the agent works without one. */
export function isAgentBusy(session: SessionState): boolean {
  return session.turn.kind !== 'idle' || ownWork(session) !== undefined;
}

/** Returns the work that the agent has begun by itself; undefined during a turn, and while it is idle. */
export function ownWork({live, turn}: SessionState): LiveState['work'] {
  return turn.kind === 'idle' ? live?.work : undefined;
}

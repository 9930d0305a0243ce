import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {SubagentEntry} from '../entries.ts';
import type {UpdateOf} from '../events.ts';
import {memoize} from '../memoize.ts';
import type {SessionState, SubagentState} from '../state.ts';
import {findEntry, patch, upsertEntry, type Upsert} from '../transcript/transcript.ts';
import {addAll} from '../../text/lists.ts';

/** Ids come from agents: on a plain object, an id like `constructor` would find something. */
export function noSubagents(): SessionState['subagents'] {
  return Object.create(null) as SessionState['subagents'];
}

export function withSubagent(state: SessionState, id: acp.SessionId, subagent: SubagentState): SessionState {
  return {...state, subagents: Object.assign(noSubagents(), state.subagents, {[id]: subagent})};
}

/** Returns the session in whose transcript a subagent has its entry. */
function parentSession(state: SessionState, id: acp.SessionId): SessionState | undefined {
  const known = state.subagents[id];
  if (known === undefined) return undefined;
  return known.parent === undefined ? state : state.subagents[known.parent]?.session;
}

/** Returns the entry with a subagent's name and status. */
export function subagentEntry(state: SessionState, id: acp.SessionId): SubagentEntry | undefined {
  const parent = parentSession(state, id);
  const entry = parent?.entries.get(findEntry(parent, 'subagent', id));
  return entry?.type === 'subagent' ? entry : undefined;
}

/** Returns the ids of the subagents that work now. */
export function workingSubagents(state: SessionState): readonly acp.SessionId[] {
  return Object.keys(state.subagents).filter((id) => {
    const entry = subagentEntry(state, id);
    return entry !== undefined && isWorking(entry);
  });
}

/** True for a subagent of the open session, or of the one that is being loaded: those of an earlier session stay in the transcript, but are inactive. */
export function isSubagent(state: SessionState, id: acp.SessionId): boolean {
  const known = state.replay ?? state;
  const ancestors = [...ancestorsOf(known, id)];
  return ancestors.length > 0 && ancestors.every((each) => subagentEntry(known, each) !== undefined);
}

/** Returns a subagent; while its session loads, its state in the replay. */
export function findSubagent(
  {replay, subagents}: Pick<SessionState, 'subagents'> & Partial<Pick<SessionState, 'replay'>>,
  id: acp.SessionId,
): SubagentState | undefined {
  return replay?.subagents[id] ?? subagents[id];
}

/** Yields the subagent, its parent, and so on. */
export function* ancestorsOf(state: SessionState, id: acp.SessionId): Generator<acp.SessionId> {
  for (let each: acp.SessionId | undefined = id; each !== undefined; each = state.subagents[each]?.parent)
    if (state.subagents[each]) yield each;
    else return;
}

/** True while it works, or waits for the user. */
export function isWorking({state}: Pick<SubagentEntry, 'state'>): boolean {
  return state === 'running' || state === 'requires_action';
}

/** Changes the session of a subagent, in the replay if there is one; the state itself if there is no such subagent or none is passed. */
export function changeSession(
  state: SessionState,
  subagent: acp.SessionId | undefined,
  change: (session: SessionState) => SessionState,
): SessionState {
  const {replay} = state;
  if (subagent !== undefined && replay?.subagents[subagent])
    return {...state, replay: changeSession(replay, subagent, change)};
  const known = subagent === undefined ? undefined : state.subagents[subagent];
  if (known === undefined || subagent === undefined) return change(state);
  const session = change(known.session);
  return session === known.session ? state : withSubagent(state, subagent, {...known, session});
}

/** Returns the session of a subagent, or the state itself if there is no such subagent or none is passed. */
export function sessionOf(state: SessionState, subagent: acp.SessionId | undefined): SessionState {
  return (subagent === undefined ? undefined : findSubagent(state, subagent)?.session) ?? state;
}

/** Ends what was begun so far for permission requests, in a session and its subagents: nothing of it counts for one that comes later. */
export function closeCalls(state: SessionState): SessionState {
  const close = (session: SessionState) => ({...session, askableFrom: session.entries.length});
  const subagents = Object.entries(state.subagents).map(([id, known]) => [
    id,
    {...known, session: close(known.session)},
  ]);
  return {...close(state), subagents: Object.assign(noSubagents(), Object.fromEntries(subagents))};
}

/** A subagent with its entry in its parent's transcript. */
export interface Subagent {
  readonly entry: SubagentEntry;
  readonly session: SessionState;
  /** 0 for direct subagents of the session. */
  readonly depth: number;
}

/** Returns the subagents of a session, in order of appearance; each is followed by its own. */
export function subagentTree(state: SessionState): readonly Subagent[] {
  return childrenOf(state, {subagents: state.subagents, parent: undefined, depth: 0});
}

/** Returns the subagents below a subagent, in order of appearance; each is followed by its own. */
export function subagentsBelow(
  subagents: SessionState['subagents'],
  id: acp.SessionId,
  depth = 0,
): readonly Subagent[] {
  const session = subagents[id]?.session;
  return session ? childrenOf(session, {subagents, parent: id, depth}) : [];
}

interface Level {
  readonly subagents: SessionState['subagents'];
  readonly parent: acp.SessionId | undefined;
  readonly depth: number;
}

const childrenByParent = memoize((subagents: SessionState['subagents']) =>
  Map.groupBy(Object.entries(subagents), ([, {parent}]) => parent),
);

function childrenOf(around: SessionState, {subagents, parent, depth}: Level): readonly Subagent[] {
  const found: Subagent[] = [];
  for (const [id, known] of childrenByParent(subagents).get(parent) ?? []) {
    const entry = entryIn(around, id);
    if (!entry) continue;
    addAll(found, [{entry, session: known.session, depth}, ...subagentsBelow(subagents, id, depth + 1)]);
  }
  return found;
}

/** Subagents of an earlier session stay in the transcript with their entries. */
function entryIn(session: SessionState, id: acp.SessionId): SubagentEntry | undefined {
  const entry = session.entries.get(findEntry({...session, sessionStart: 0}, 'subagent', id));
  return entry?.type === 'subagent' ? entry : undefined;
}

/** Returns the session of a subagent for display, with the terminals and requests of its root session. */
export function subagentForDisplay(state: SessionState, id: acp.SessionId): SessionState | undefined {
  const session = state.subagents[id]?.session;
  if (session === undefined) return undefined;
  const {agent, subagents, terminals} = state;
  const pending = state.pending.filter(({subagent}) => subagent === id);
  return {...session, agent, subagents, pending, terminals};
}

/** Updates the entry of a subagent in its parent's transcript, as a protocol patch: omitted fields stay, null clears. */
export function upsertSubagent(
  state: SessionState,
  {sessionId, title, description, capabilities, state: activity}: UpdateOf<'subagent_update'>,
  at: number,
): SessionState {
  const upsert: Upsert<'subagent'> = {
    type: 'subagent',
    id: sessionId,
    unseen: {type: 'subagent', sessionId, title: undefined, description: undefined, state: undefined},
    change: (entry) => ({
      ...entry,
      title: patch(entry.title, title),
      description: patch(entry.description, description),
      ...(capabilities !== undefined && {canCancel: Boolean(capabilities?.cancel)}),
      ...(activity !== undefined && withActivity(entry, activity, at)),
    }),
  };
  return upsertEntry(state, upsert, at);
}

type Activity = Pick<SubagentEntry, 'state' | 'stopReason' | 'problem' | 'since' | 'workedMs' | 'usage'>;

/** A state replaces the previous one completely; the working time accumulates. */
export function withActivity(entry: Activity, activity: acp.StateUpdate | null, at: number): Activity {
  const {since, workedMs = 0, usage} = entry;
  const state = activity?.state;
  const works = isWorking({state});
  const idle =
    activity?.state === 'idle' ? (activity as acp.IdleStateUpdate & {stopReason?: string | null}) : undefined;
  const problem =
    idle && 'error' in idle ? (idle['error'] as acp.ErrorStopReason['error'])?.message : undefined;
  return {
    state,
    stopReason: idle?.stopReason ?? undefined,
    problem,
    since: works ? (since ?? at) : undefined,
    workedMs: works || since === undefined ? workedMs : workedMs + Math.max(0, at - since),
    usage: idle?.usage ?? usage,
  };
}

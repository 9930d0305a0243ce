import {mergeReplay} from '../lifecycle/merge-replay.ts';
import type {SessionState, SubagentState} from '../state.ts';
import {List} from '../transcript/persistent-list.ts';
import {noSubagents} from './tree.ts';

type Subagents = SessionState['subagents'];

/** Merges the stored transcripts of subagents with the agent's replay ("Loading Sessions"). */
export function mergeSubagents(ours: Subagents, theirs: Subagents): Subagents {
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

import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Entry} from '../entries.ts';
import type {SessionState, SubagentState, TerminalState} from '../state.ts';
import {IdMap} from '../terminals/id-map.ts';
import {noSubagents} from '../subagents/tree.ts';
import {EntryList} from '../transcript/entry-list.ts';

/** A session's state as plain data, which crosses a socket: its transcripts and terminals are arrays. */
export interface SentState extends Omit<SessionState, 'entries' | 'replay' | 'subagents' | 'terminals'> {
  readonly entries: readonly Entry[];
  readonly terminals: readonly TerminalState[];
  readonly replay: SentState | undefined;
  readonly subagents: Readonly<Record<acp.SessionId, SentSubagent>>;
}

interface SentSubagent extends Omit<SubagentState, 'session'> {
  readonly session: SentState;
}

export function toSent({entries, terminals, replay, subagents, ...session}: SessionState): SentState {
  const sent = Object.entries(subagents).map(([id, own]) => [id, {...own, session: toSent(own.session)}]);
  return {
    ...session,
    entries: entries.slice(),
    terminals: [...terminals],
    replay: replay && toSent(replay),
    subagents: Object.fromEntries(sent),
  };
}

export function fromSent({entries, terminals, replay, subagents, ...session}: SentState): SessionState {
  const received = Object.entries(subagents).map(([id, own]) => [
    id,
    {...own, session: fromSent(own.session)},
  ]);
  return {
    ...session,
    entries: EntryList.from(entries),
    terminals: IdMap.from(terminals),
    replay: replay && fromSent(replay),
    subagents: Object.assign(noSubagents(), Object.fromEntries(received)),
  };
}

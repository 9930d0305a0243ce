import {EntryList} from './transcript/entry-list.ts';
import {emptyQueue} from './queue/queue.ts';
import type {SessionState} from './state.ts';
import {noSubagents} from './subagents/tree.ts';
import {IdMap} from './terminals/id-map.ts';

interface SessionPlace {
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** Now, in milliseconds since the epoch. */
  readonly at: number;
}

/** Returns a session whose agent is about to be launched. */
export function initialSession({cwd, additionalDirectories, at}: SessionPlace): SessionState {
  return {
    connection: {kind: 'starting', step: 'launching', since: at},
    agent: undefined,
    sessionId: undefined,
    cwd,
    additionalDirectories,
    mcpServers: undefined,
    serversSince: 0,
    title: undefined,
    ownTitle: undefined,
    entries: EntryList.empty,
    sessionStart: 0,
    askableFrom: 0,
    replay: undefined,
    losses: 0,
    streaming: [],
    unused: true,
    turn: {kind: 'idle'},
    lastTurn: undefined,
    plans: [],
    commands: [],
    modes: undefined,
    models: undefined,
    configOptions: undefined,
    usage: undefined,
    customCommands: [],
    approval: 'none',
    queue: emptyQueue,
    pending: [],
    terminals: IdMap.empty,
    subagents: noSubagents(),
  };
}

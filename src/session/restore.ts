import type {SessionState} from './state.ts';
import {endTerminals} from './terminals.ts';
import {cancelToolCalls} from './tool-calls.ts';
import {completeMessages} from './transcript.ts';
import {endTurn} from './turns.ts';

/**
 * A session of an earlier run, as the first thing that a later one knows of it: what was going on is over, and the agent is
 * about to be launched. `wasCut` where a turn ran that nobody saw the end of.
 */
export function restoredSession(
  kept: SessionState,
  at: number,
): {readonly session: SessionState; readonly wasCut: boolean} {
  const wasCut = kept.turn.kind !== 'idle';
  const failure = {
    kind: 'connection_lost',
    exit: undefined,
    stderrTail: '',
    problem: 'acp-tui ended',
  } as const;
  const ended = endTurn(kept, {at, outcome: {kind: 'failed', failure}});
  const rested = endTerminals(cancelToolCalls(completeMessages(ended), 0, at));
  const session: SessionState = {
    ...rested,
    connection: {kind: 'starting', step: 'launching', since: at},
    agent: undefined,
    replay: undefined,
    losses: 0,
    pending: [],
    commands: [],
  };
  return {session, wasCut};
}

import type {SessionState} from '../state.ts';
import {loseSubagents} from '../subagents/fold.ts';
import {endTerminals} from '../terminals/terminals.ts';
import {cancelToolCalls} from '../transcript/tool-calls.ts';
import {completeMessages} from '../transcript/transcript.ts';
import {endTurn} from '../transcript/turns.ts';

/**
 * Returns a session of an earlier run as the initial state: everything open has ended, and the agent is about to be launched. `wasCut` is true if a turn was
 * running when the window ended.
 */
export function restoredSession(
  kept: SessionState,
  at: number,
): {readonly session: SessionState; readonly wasCut: boolean} {
  const wasCut = kept.turn.kind !== 'idle';
  // An interrupted turn did not last until now.
  const endedAt = kept.turn.kind === 'idle' ? at : kept.turn.lastActivityAt;
  const failure = {kind: 'interrupted'} as const;
  const ended = endTurn(kept, {at: endedAt, outcome: {kind: 'failed', failure}});
  const rested = endTerminals(loseSubagents(cancelToolCalls(completeMessages(ended), 0, endedAt), endedAt));
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

import {setImmediate as macrotask} from 'node:timers/promises';
import type {Result} from '../../shared/failure.ts';
import {
  emitConnectionChanged,
  enterPhase,
  notRunning,
  openNewIfUnused,
  type ConversationContext,
} from '../context.ts';
import {reviewSandboxWrites} from '../prompt/sandbox-writes.ts';
import {endOpenTurn} from '../prompt/turns.ts';
import {retryFailedAction} from '../sign-in/agent-sign-in.ts';
import {leaveAgent} from './agent-sessions.ts';
import type {Membership} from './agent-pool.ts';
import {canTransition, runOf, type Phase} from './phases.ts';
import {start} from './start.ts';

/** Restarts the agent, and opens the session again. */
export async function restart(context: ConversationContext): Promise<Result<void>> {
  if (!canTransition(context.phase, 'leave')) return notRunning();
  restartLost(context);
  const before = context.phase;
  const {promise: left, resolve} = Promise.withResolvers<Membership | undefined>();
  const leaving = enterPhase(context, 'leave', {left, restarts: true});
  resolve(leave(context, before));
  // The sessions that keep using it may be why it hangs.
  (await left)?.retire();
  if (context.phase !== leaving) return notRunning();
  openNewIfUnused(context);
  const started = await start(context);
  if (started.ok) await retryFailedAction(context);
  return started;
}

/** Ends the session with everything that it started. */
export async function close(context: ConversationContext): Promise<void> {
  const before = context.phase;
  const {promise: left, resolve} = Promise.withResolvers<Membership | undefined>();
  lostWith(context)?.delete(context);
  enterPhase(context, 'close', {left});
  resolve(leave(context, before));
  await Promise.all([left, context.host.shell.close(), context.hooks.close()]);
  // Nobody looks later at what was written in a turn that has not ended.
  await reviewSandboxWrites(context, {isClosed: true});
  await Promise.all([context.snapshots?.close(), context.sandbox?.close()]);
  emitConnectionChanged(context, {kind: 'closed'});
}

/** Restarts the sessions that were lost together with this one and are still waiting. */
function restartLost(context: ConversationContext): void {
  const lost = lostWith(context);
  lost?.delete(context);
  const restarts = Array.from(lost?.values() ?? []);
  // Otherwise each of them would restart the others again.
  lost?.clear();
  for (const restartOther of restarts) restartOther();
}

/** Returns how to restart the sessions that were lost with this one. */
function lostWith({phase}: ConversationContext): Map<object, () => void> | undefined {
  return 'agent' in phase ? phase.agent?.lost : undefined;
}

/**
 * Leaves the agent of an earlier phase and stops the session's commands and pending requests; later events of that agent no longer reach the state. Returns
 * the membership.
 */
async function leave(context: ConversationContext, before: Phase): Promise<Membership | undefined> {
  const {host, sink} = context;
  const {sessionId, turn} = sink.state();
  const run = runOf(before);
  host.cancelPending();
  if (turn.kind === 'running' && run && run.others().length > 0 && sessionId !== undefined)
    run.connection.cancel(sessionId);
  endOpenTurn(context, {kind: 'interrupted'});
  const commandsEnded = host.terminals.closeAll();
  // The agent gets the responses it waits for before its input is closed.
  await macrotask();
  const [left] = await Promise.all([leaveBefore(context, before), commandsEnded, host.terminals.closeAll()]);
  return left;
}

async function leaveBefore(context: ConversationContext, before: Phase): Promise<Membership | undefined> {
  if (before.name === 'leaving') return before.left;
  const joined = before.name === 'launching' ? await before.joined : undefined;
  const run = joined?.ok ? joined.value : runOf(before);
  if (run) await leaveAgent(context, run);
  return run;
}

import {randomUUID} from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {quirksOf} from '../../agents/quirks.ts';
import {fail, type Failure, type Result} from '../../shared/failure.ts';
import type {SteerOutcome} from '../../session/queue/queued-prompt.ts';
import {openComments} from '../../session/content/comment-blocks.ts';
import {endNestedSubagents} from '../../session/subagents/nested.ts';
import {isSubagent, subagentEntry} from '../../session/subagents/tree.ts';
import {usageSince} from '../../session/transcript/turns.ts';
import {updateEvent} from '../connection/agent-updates.ts';
import type {AgentRun} from '../connection/phases.ts';
import {isCurrent, warn, type ConversationContext} from '../context.ts';
import {reportUnreviewed} from '../review/review-actions.ts';
import {askToSignIn} from '../sign-in/agent-sign-in.ts';
import {reviewSandboxWrites} from './sandbox-writes.ts';
import {isWaiting, nextTurnPhase, type TurnEvent, type TurnPhase} from './turn-phases.ts';
import type {TurnSnapshots} from '../../snapshots/turn-snapshots.ts';
import type {CancellableTask} from '../../session/actions.ts';
import {isRepeatable} from '../../protocol/retry-classes.ts';
import {isAgentBusy} from '../../session/lifecycle/live.ts';
import {runningTasks} from '../../session/lifecycle/tasks.ts';
import {wireIdOf} from '../../session/transcript/entry-list.ts';
import {findToolCall} from '../../session/transcript/tool-calls.ts';
import type {TurnOutcome} from '../../session/entries.ts';

/** `repeats`: the prompt is already in the transcript, because the agent required a sign-in before accepting it. */
export interface PromptOptions {
  readonly repeats?: boolean;
}

/**
 * Sends a prompt and reports how its turn ended ("Prompt Turn"). Call only while the session is ready and idle: the protocol allows no second prompt during a
 * turn.
 */
export async function runTurn(
  context: ConversationContext,
  content: readonly acp.ContentBlock[],
  how: PromptOptions = {},
): Promise<void> {
  const {sink, run} = context;
  const {sessionId, turn: state, connection} = sink.state();
  if (!run || sessionId === undefined || connection.kind !== 'ready' || state.kind !== 'idle') {
    throw new Error('a prompt needs a session that is ready and idle');
  }
  const {number: turn} = enterTurn(context, {type: 'begin'});
  const at = Date.now();
  const of = {session: sessionId, turn, promptAt: at};
  const isOver = () => !isOpen(context, {run, session: sessionId}) || context.turn.number !== turn;
  context.host.turnStarted();
  sink.emit({type: 'prompt_started', turn, content, ...how, at});
  // Without hooks it is sent at once.
  const hooked = context.hooks.isEmpty()
    ? {ok: true as const, value: content}
    : await context.hooks.beforePrompt(content);
  if (context.snapshots && hooked.ok && !isOver() && isWaiting(context.turn))
    await coverTurn(context, context.snapshots, of);
  if (isOver()) return context.hooks.notSent();
  const isSent = enterTurn(context, {type: 'send'}).name === 'sent';
  const key = (how.repeats && context.unanswered?.key) || randomUUID();
  const send = () => (hooked.ok ? run.connection.prompt(sessionId, hooked.value, key) : hooked);
  context.unanswered = {key, sessionId};
  if (!isSent) context.hooks.notSent();
  const result = isSent ? await send() : CANCELLED;
  // If the connection broke, `start` is still determining the cause, and ends the turn with it.
  if (isOver() || endsConnection(result)) return;
  context.unanswered = undefined;
  const outcome = outcomeOf(result, sink.state().turn.kind === 'cancelling');
  const usage = usageOfTurn(context, result);
  // First, so that the prompt, which returns to the queue, is not sent before the sign-in.
  const refused =
    !result.ok && result.failure.kind === 'authentication_required' ? result.failure : undefined;
  if (refused) {
    context.hooks.notSent();
    askToSignIn(context, refused);
  }
  const isTaken = isSent && hooked.ok && !refused;
  await reviewSandboxWrites(context);
  if (isOver()) return;
  enterTurn(context, {type: 'end'});
  context.host.turnEnded();
  for (const each of endNestedSubagents(sink.state())) sink.emit(updateEvent(sink.state(), each));
  const ended = {turn, outcome, usage, ...(!isTaken && {isUnsent: true as const})};
  sink.emit({type: 'prompt_ended', ...ended, at: Date.now()});
  void reportChanges(context, of);
}

/** False once the agent was restarted, or has another session open. */
function isOpen(
  context: ConversationContext,
  {run, session}: {readonly run: AgentRun; readonly session: acp.SessionId},
): boolean {
  return isCurrent(context, run) && context.sink.state().sessionId === session;
}

function enterTurn(context: ConversationContext, event: TurnEvent): TurnPhase {
  return (context.turn = nextTurnPhase(context.turn, event));
}

/** Sends the prompt that waits for its snapshot. */
export function sendWithoutSnapshot({turn}: Pick<ConversationContext, 'turn'>): void {
  if (turn.name === 'snapshot') turn.skipping.abort();
}

/** A shorter wait is not shown, in milliseconds. */
const SHOWN_AFTER_MS = 300;

/** Takes the snapshot before a prompt; the prompt waits for it, until the user sends or cancels it. */
async function coverTurn(
  context: ConversationContext,
  snapshots: TurnSnapshots,
  turn: TurnOfSession,
): Promise<void> {
  const {sink, run} = context;
  const skipping = new AbortController();
  enterTurn(context, {type: 'cover', skipping});
  const show = (isAwaited: boolean) => sink.emit({type: 'snapshot_awaited', isAwaited, at: Date.now()});
  const timer = setTimeout(show, SHOWN_AFTER_MS, true);
  const problem = await snapshots.beforePrompt(turn, skipping.signal);
  clearTimeout(timer);
  if (!run || !isCurrent(context, run)) return;
  const {turn: now} = sink.state();
  if (now.kind !== 'idle' && now.awaitsSnapshot) show(false);
  if (problem !== undefined && now.kind === 'running') reportUncovered(context, turn, problem);
}

interface TurnOfSession {
  readonly session: string;
  readonly turn: number;
  readonly promptAt?: number;
}

function reportUncovered(context: ConversationContext, {turn}: TurnOfSession, problem: string): void {
  warn(context, `/review, /undo and /rewind do not cover turn ${turn}: ${problem}.`);
}

/** Reports what a turn changed, once the folder was read. */
async function reportChanges(context: ConversationContext, turn: TurnOfSession): Promise<void> {
  const {snapshots, sink} = context;
  const changed = await snapshots?.afterTurn(turn);
  if (sink.state().sessionId !== turn.session) return;
  void reportUnreviewed(context);
  if (typeof changed === 'string') reportUncovered(context, turn, changed);
  if (!snapshots || typeof changed !== 'object') return;
  const changedComments = await snapshots.reviewer.changedComments(turn, openComments(sink.state()));
  const counts = {...changed, ...(changedComments.length > 0 && {changedComments})};
  sink.emit({type: 'turn_changes', turn: turn.turn, ...counts, at: Date.now()});
}

/** The end of a turn that was cancelled before its prompt was sent. */
const CANCELLED: Result<acp.PromptResponse> = {ok: true, value: {stopReason: 'cancelled'}};

/** Returns the usage of the turn; some agents accumulate it over the session. */
function usageOfTurn({sink, run}: ConversationContext, result: Result<acp.PromptResponse>): acp.Usage | null {
  const usage = result.ok ? result.value.usage : undefined;
  if (!usage || !run) return null;
  const before = run.usageSoFar;
  run.usageSoFar = usage;
  return (quirksOf(sink.state().agent?.name).usageAddsUp ? usageSince(before, usage) : usage) ?? null;
}

/** Adds a prompt of the user's to the running turn, with what hooks add to it; `refused` if that turn is over when they have ended. */
export async function steer(
  context: ConversationContext,
  content: readonly acp.ContentBlock[],
): Promise<Result<SteerOutcome>> {
  if (context.hooks.isEmpty()) return steerTurn(context, content);
  const {number} = context.turn;
  const hooked = await context.hooks.beforePrompt(content);
  if (!hooked.ok) return hooked;
  const isOver = context.turn.number !== number || context.sink.state().turn.kind !== 'running';
  const outcome: Result<SteerOutcome> = isOver
    ? {ok: true, value: 'refused'}
    : await steerTurn(context, hooked.value);
  if (!outcome.ok || outcome.value === 'refused') context.hooks.notSent();
  return outcome;
}

/** Adds a prompt to the running turn; `refused` also if no turn is running any more. */
export async function steerTurn(
  context: ConversationContext,
  content: readonly acp.ContentBlock[],
): Promise<Result<SteerOutcome>> {
  const {sink, run} = context;
  const {sessionId, turn} = sink.state();
  // The agent has to get the prompt of the turn first.
  if (!run || sessionId === undefined || turn.kind !== 'running' || isWaiting(context.turn))
    return {ok: true, value: 'refused'};
  const result = await run.connection.steer(sessionId, content);
  // After a restart, a shared agent has it in a turn that is over here: it stays queued.
  if (!isCurrent(context, run)) return {ok: true, value: 'refused'};
  if (!isOpen(context, {run, session: sessionId})) return result;
  if (result.ok && result.value !== 'refused') sink.emit({type: 'prompt_steered', content, at: Date.now()});
  return result;
}

/**
 * Asks the agent to cancel ("Cancellation"): the state marks unfinished calls, pending requests are answered with `cancelled`, and the turn ends when the
 * agent responds to its prompt.
 */
export function cancelTurn(context: ConversationContext): void {
  const {run, sink, host} = context;
  const {sessionId, turn} = sink.state();
  for (const stopping of context.commandRuns) stopping.abort();
  if (!run || sessionId === undefined || !isAgentBusy(sink.state())) return;
  if (turn.kind !== 'cancelling') sink.emit({type: 'cancel_requested', at: Date.now()});
  host.cancelPending();
  if (turn.kind === 'idle') return run.connection.cancel(sessionId);
  context.hooks.stop('its turn was cancelled');
  sendWithoutSnapshot(context);
  // An agent that does not have the prompt has nothing to cancel.
  if (enterTurn(context, {type: 'cancel'}).name !== 'not_sent') run.connection.cancel(sessionId);
}

/** Asks the agent to cancel a subagent's work, if it supports that; the subagent's requests are answered with `cancelled`. */
export function cancelSubagent({run, sink, host}: ConversationContext, sessionId: acp.SessionId): void {
  const state = sink.state();
  if (!run || !isSubagent(state, sessionId) || !subagentEntry(state, sessionId)?.canCancel) return;
  for (const {id, subagent} of state.pending)
    if (subagent === sessionId) void host.answer(id, {kind: 'cancelled'});
  run.connection.cancel(sessionId);
}

/** Asks the agent to cancel one tool call or one of its commands, if it says that it can now ("Cancelling Tool Calls"). */
export async function cancelTask(
  {run, sink}: ConversationContext,
  {kind, id, subagent}: CancellableTask,
): Promise<Result<void>> {
  const state = sink.state();
  const isThere = runningTasks(state).some(
    (task) => task.kind === kind && task.id === id && task.subagent === subagent && task.canCancel,
  );
  const sessionId = subagent ?? state.sessionId;
  if (!run || !isThere || sessionId === undefined)
    return fail({kind: 'not_offered', cannot: 'cancel it alone', why: 'it has ended, or the agent cannot'});
  if (kind === 'tool_call') return run.connection.cancelToolCall(sessionId, wireIdOf(id));
  // Its ID may be that of a call.
  const wireId = findToolCall(state, id) === -1 ? id : wireIdOf(id);
  return run.connection.cancelTerminal(sessionId, wireId);
}

/**
 * Sends the prompt again whose response was lost with the connection, if the agent takes it once. An agent that has reported anything of its turn has it, and
 * is left to go on.
 */
export function resendUnanswered({sink, unanswered}: ConversationContext): void {
  const {agent, sessionId} = sink.state();
  const isSame = unanswered !== undefined && unanswered.sessionId === sessionId;
  if (!isSame || !agent || !isRepeatable('session/prompt', agent.protocolVersion)) return;
  sink.emit({type: 'queue_changed', change: {kind: 'resend_interrupted', repeats: true}, at: Date.now()});
}

/** Ends the open turn of an agent that is gone: as cancelled if the user had cancelled it and acp-tui stopped the agent, otherwise as failed. */
export function endOpenTurn(context: ConversationContext, failure: Failure): void {
  const {turn, sessionId: session} = context.sink.state();
  if (turn.kind === 'idle') return;
  const isUnanswered = turn.kind === 'running' && turn.lastActivityAt === turn.startedAt;
  if (!isUnanswered || failure.kind !== 'connection_lost') context.unanswered = undefined;
  const isCancelled = turn.kind === 'cancelling' && failure.kind === 'interrupted';
  const outcome: TurnOutcome = isCancelled
    ? {kind: 'stopped', stopReason: 'cancelled'}
    : {kind: 'failed', failure};
  const isUnsent = isWaiting(context.turn);
  enterTurn(context, {type: 'end'});
  context.host.turnEnded();
  const ended = {turn: turn.turn, outcome, ...(isUnsent && {isUnsent: true as const})};
  context.sink.emit({type: 'prompt_ended', ...ended, at: Date.now()});
  if (session !== undefined) void reportChanges(context, {session, turn: turn.turn});
}

function endsConnection(result: Result<unknown>): boolean {
  return (
    !result.ok && (result.failure.kind === 'connection_lost' || result.failure.kind === 'message_too_large')
  );
}

/** An error response after a cancel counts as cancelled: some agents report their own abort as an error. */
function outcomeOf(result: Result<acp.PromptResponse>, cancelled: boolean): TurnOutcome {
  if (result.ok) return {kind: 'stopped', stopReason: result.value.stopReason};
  if (cancelled && result.failure.kind === 'agent_error') return {kind: 'stopped', stopReason: 'cancelled'};
  return {kind: 'failed', failure: result.failure};
}

import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {EntryType, TurnOutcome, TurnSummary} from '../entries.ts';
import type {SessionEventOf} from '../events.ts';
import type {CostBefore, SessionState, TurnState} from '../state.ts';
import {ownWorkCancelled, turnWorkEnded} from '../lifecycle/live.ts';
import {closeCalls} from '../subagents/tree.ts';
import {visibleText} from './content.ts';
import {changesIn} from './diffs.ts';
import {endPlans} from './plans.ts';
import {cancelToolCalls} from './tool-calls.ts';
import {appendEntry, changeEntries, completeMessages, isAside, type NewEntry} from './transcript.ts';
import {isLookup} from './tool-kinds.ts';

/** Entries that may follow a prompt without answering it. */
const ANSWERLESS: ReadonlySet<EntryType> = new Set([
  'user_message',
  'agent_thought',
  'shell_command',
  'turn_end',
]);

type RunningTurn = Exclude<TurnState, {kind: 'idle'}>;

/** "Prompt Turn": adds the prompt as an entry and starts the turn. A turn that is still running ends. */
export function promptStarted(before: SessionState, event: SessionEventOf<'prompt_started'>): SessionState {
  const {at, turn, content, repeats} = event;
  const state = endTurn(before, {at, outcome: {kind: 'stopped', stopReason: 'cancelled'}});
  const repeated = repeats ? lastPrompt(state) : undefined;
  const running: RunningTurn = {
    kind: 'running',
    turn,
    startedAt: at,
    lastActivityAt: at,
    promptEntry: repeated ?? state.entries.length,
    isFirst: state.unused,
    costAtStart: state.usage?.cost ?? (state.unused ? 'nothing' : undefined),
  };
  const entry: NewEntry =
    repeated === undefined
      ? {type: 'user_message', messageId: undefined, content, complete: true}
      : {type: 'notice', level: 'info', text: 'Prompt resent.', source: 'client'};
  const live = state.live && {...state.live, suggestion: undefined};
  const closed = closeCalls(state);
  return appendEntry({...closed, turn: running, unused: false, limitReached: undefined, live}, entry, at);
}

function lastPrompt({entries}: SessionState): number | undefined {
  const index = entries.findLastIndex(({type}) => type === 'user_message');
  return index === -1 ? undefined : index;
}

/** Adds a prompt that steers the running turn; the agent may have echoed it before it accepted it. */
export function promptSteered(
  state: SessionState,
  {content, at}: SessionEventOf<'prompt_steered'>,
): SessionState {
  const last = state.entries.findLast((entry) => !isAside(entry));
  const isEcho = last?.type === 'user_message' && !last.complete && saysSame(last.content, content);
  if (isEcho) return completeMessages(state);
  return appendEntry(state, {type: 'user_message', messageId: undefined, content, complete: true}, at);
}

function saysSame(one: readonly acp.ContentBlock[], other: readonly acp.ContentBlock[]): boolean {
  const [echoed, sent] = [one, other].map((content) => visibleText(content).replaceAll(/\s+/g, ''));
  return echoed === sent;
}

/** Marks the unfinished tool calls of the turn at once ("Cancellation"); the agent responds later. */
export function cancelRequested(
  state: SessionState,
  event: SessionEventOf<'cancel_requested'>,
): SessionState {
  if (state.turn.kind === 'idle') return ownWorkCancelled(state, event.at);
  if (state.turn.kind !== 'running') return state;
  const turn: RunningTurn = {...state.turn, kind: 'cancelling'};
  return cancelToolCalls({...state, turn}, turn.promptEntry, event.at);
}

/** Ignored if the end was already reported, or belongs to another turn. */
export function promptEnded(state: SessionState, event: SessionEventOf<'prompt_ended'>): SessionState {
  if (state.turn.kind === 'idle' || state.turn.turn !== event.turn) return state;
  return endTurn(turnWorkEnded(state, state.turn.startedAt), event);
}

interface TurnEnd {
  readonly at: number;
  readonly outcome: TurnOutcome;
  readonly usage?: acp.Usage | null;
  readonly isUnsent?: true;
}

/** Ends the running turn: closes plans, open messages and interrupted tool calls, and appends a summary. */
export function endTurn(state: SessionState, end: TurnEnd): SessionState {
  const turn = state.turn;
  if (turn.kind === 'idle') return state;
  const outcome = turn.kind === 'cancelling' ? afterCancel(end.outcome) : end.outcome;
  const summary = summarize(state, turn, {...end, outcome});
  const rested = settle(endPlans(completeMessages(state), end.at), turn, {...end, outcome});
  const ended = closeCalls(appendEntry(rested, {type: 'turn_end', summary}, end.at));
  const losses = outcome.kind === 'stopped' ? 0 : state.losses;
  const isRefused = outcome.kind === 'failed' && outcome.failure.kind === 'authentication_required';
  const unused = state.unused || (isRefused && turn.isFirst);
  return {...ended, turn: {kind: 'idle'}, lastTurn: summary, losses, unused};
}

/** Records activity of the agent, for notices about a stalled turn. */
export function noteActivity(state: SessionState, at: number): SessionState {
  return state.turn.kind === 'idle' ? state : {...state, turn: {...state.turn, lastActivityAt: at}};
}

/** A turn that the user cancelled counts as cancelled whatever the agent responds: some respond with an error, others as if it had ended normally. */
function afterCancel(outcome: TurnOutcome): TurnOutcome {
  return outcome.kind === 'stopped' || outcome.failure.kind === 'agent_error'
    ? {kind: 'stopped', stopReason: 'cancelled'}
    : outcome;
}

/** True if nothing after the prompt answers it or was done for it. */
function saysNothing({entries}: SessionState, {promptEntry}: RunningTurn): boolean {
  return !entries.slice(promptEntry + 1).some((entry) => {
    if (entry.type === 'agent_message') return entry.content.length > 0;
    if (entry.type === 'notice') return entry.source === 'agent' && entry.level !== 'info';
    return !ANSWERLESS.has(entry.type);
  });
}

/** After a normal end, unfinished tool calls stay as they are, because some continue. */
function settle(state: SessionState, turn: RunningTurn, {at, outcome}: TurnEnd): SessionState {
  if (outcome.kind === 'failed' || outcome.stopReason === 'cancelled')
    return cancelToolCalls(state, turn.promptEntry, at);
  if (outcome.stopReason === 'refusal')
    return changeEntries(state, turn.promptEntry, (entry) => ({...entry, excluded: true}));
  return state;
}

function summarize(state: SessionState, turn: RunningTurn, end: TurnEnd): TurnSummary {
  const cost = costOfTurn(state);
  const changedFiles = countChangedFiles(state, turn);
  const endsItself = end.outcome.kind === 'stopped' && end.outcome.stopReason === 'end_turn';
  return {
    turn: turn.turn,
    outcome: end.outcome,
    durationMs: Math.max(0, end.at - turn.startedAt),
    ...(end.usage && isCounted(end.usage) ? {usage: end.usage} : {}),
    ...(cost ? {cost} : {}),
    ...(changedFiles > 0 ? {changedFiles} : {}),
    ...(endsItself && saysNothing(state, turn) ? {isEmpty: true} : {}),
    ...(end.isUnsent && {isUnsent: true}),
  };
}

/** Returns the cost of the running turn so far; undefined if it is not known. */
export function costOfTurn({turn, usage}: SessionState): acp.Cost | undefined {
  return turn.kind === 'idle' ? undefined : costSince(turn.costAtStart, usage?.cost);
}

/** Counts the files of the diffs of completed calls, and those that were deleted or moved. */
function countChangedFiles({entries}: SessionState, {promptEntry}: RunningTurn): number {
  const calls = entries.slice(promptEntry + 1).filter((entry) => entry.type === 'tool_call');
  const paths = calls
    .filter(({status, kind}) => status === 'completed' && !isLookup(kind))
    .flatMap((call) => {
      const changed = changesIn(call).map(({path}) => path);
      const isGone = call.kind === 'delete' || call.kind === 'move';
      return changed.length === 0 && isGone ? call.locations.map(({path}) => path) : changed;
    });
  return new Set(paths).size;
}

/** Undefined if it is not known, as when the agent counts anew. */
export function costSince(before: CostBefore, now: acp.Cost | undefined): acp.Cost | undefined {
  if (before === undefined || now === undefined) return undefined;
  if (before === 'nothing') return now;
  if (before.currency !== now.currency || now.amount < before.amount) return undefined;
  return {amount: now.amount - before.amount, currency: now.currency};
}

/** True for real counts: an agent that does not know them may send zeros. */
function isCounted({totalTokens, inputTokens, outputTokens}: acp.Usage): boolean {
  return totalTokens > 0 || inputTokens > 0 || outputTokens > 0;
}

/**
 * Returns the usage of a turn from counts that accumulate over the session; undefined if the previous ones are unknown, or larger. `before` is null for a
 * session without usage.
 */
export function usageSince(before: acp.Usage | null | undefined, now: acp.Usage): acp.Usage | undefined {
  if (before === undefined) return undefined;
  const usage: acp.Usage = {
    totalTokens: now.totalTokens - (before?.totalTokens ?? 0),
    inputTokens: now.inputTokens - (before?.inputTokens ?? 0),
    outputTokens: now.outputTokens - (before?.outputTokens ?? 0),
  };
  for (const name of ['thoughtTokens', 'cachedReadTokens', 'cachedWriteTokens'] as const) {
    const count = now[name];
    if (typeof count === 'number') usage[name] = count - (before?.[name] ?? 0);
  }
  return Object.values(usage).some((count) => typeof count === 'number' && count < 0) ? undefined : usage;
}

import {setTimeout as sleep} from 'node:timers/promises';
import type {Failure, Result} from '../../shared/failure.ts';
import {enterPhase, inform, openNewIfUnused, type ConversationContext} from '../context.ts';
import {resendUnanswered} from '../prompt/turns.ts';
import type {AgentRun} from './phases.ts';

/** The delay before the first attempt, in milliseconds; it doubles with each attempt, up to a maximum. */
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** After this many attempts, about five minutes, it is left to the user. */
const MAX_ATTEMPTS = 14;
/** After this time, in milliseconds, too: an attempt without an answer takes long. */
const MAX_RECONNECTING_MS = 300_000;
/** A connection of at least this duration counts as stable, in milliseconds: the next loss starts with the first delay again. */
const STABLE_MS = 60_000;

interface Lost {
  readonly run: AgentRun;
  /** Connects to the agent, and reopens the session. */
  readonly connect: () => Promise<Result<void>>;
}

/**
 * Reconnects to a remote agent with growing delays, and reopens the session with `session/load` or `session/resume`. Permanent failures, such as an expired
 * token, are shown like any failed start. Esc cancels.
 */
export async function reconnect(
  context: ConversationContext,
  lost: Failure,
  {run: {reconnected}, connect}: Lost,
): Promise<void> {
  const isUnstable = reconnected !== undefined && performance.now() - reconnected.at < STABLE_MS;
  const since = Date.now();
  const endsAt = performance.now() + MAX_RECONNECTING_MS;
  let failure = lost;
  for (
    let attempt = isUnstable ? reconnected.attempts : 0;
    attempt < MAX_ATTEMPTS && performance.now() < endsAt;
    attempt++
  ) {
    const waiting = enterPhase(context, 'reconnect', {attempt: attempt + 1, since});
    if (!waiting) return;
    const {signal} = waiting.ended;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS);
    await sleep(delay, undefined, {signal}).catch(() => {});
    if (context.phase !== waiting) return;
    if (signal.aborted) break;
    openNewIfUnused(context);
    const started = await connect();
    if (started.ok) {
      if (context.run) context.run.reconnected = {attempts: attempt + 1, at: performance.now()};
      inform(context, 'Reconnected to the agent.');
      resendUnanswered(context);
      return;
    }
    if (!isTemporary(started.failure)) return;
    ({failure} = started);
  }
  enterPhase(context, 'lose', {failure, agent: undefined, reportedElsewhere: false});
}

const PASSING_REASONS: ReadonlySet<string> = new Set([
  'unreachable',
  'cut_off',
  'stalled',
  'proxy',
  'unexpected',
]);

/** True for a failure that may be temporary: a starting server may respond with anything except 401 and 403. */
export function isTemporary(failure: Failure): boolean {
  if (failure.kind === 'connection_lost') return !isRefusal(failure.status);
  if (failure.kind === 'no_answer') return !failure.isGivenUp;
  if (failure.kind !== 'remote') return false;
  const {reason, detail} = failure;
  return reason === 'status' ? !isRefusal(Number(detail)) : PASSING_REASONS.has(reason);
}

function isRefusal(status: number | undefined): boolean {
  return status === 401 || status === 403;
}

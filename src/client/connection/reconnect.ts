import {setTimeout as sleep} from 'node:timers/promises';
import type {Failure, Result} from '../../shared/failure.ts';
import {connectionChanged, openNewIfUnused, type ClientContext} from '../context.ts';

/** The delay before the first attempt, in milliseconds; it doubles with each attempt, up to a maximum. */
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** After this many attempts, about five minutes, it is left to the user. */
const MAX_ATTEMPTS = 14;
/** A connection of at least this duration counts as stable, in milliseconds: the next loss starts with the first delay again. */
const STABLE_MS = 60_000;

/** Connects to a remote agent, and reopens the session. */
type Connect = () => Promise<Result<void>>;

/**
 * Reconnects to a remote agent with growing delays, and reopens the session with `session/load` or `session/resume`. Permanent failures, such as an expired
 * token, are shown like any failed start. Esc cancels.
 */
export async function reconnect(context: ClientContext, lost: Failure, connect: Connect): Promise<void> {
  const stopped = new AbortController();
  const givenUp = new AbortController();
  const signal = AbortSignal.any([stopped.signal, givenUp.signal]);
  const giveUp = () => givenUp.abort();
  const {attempts = 0, since = 0} = context.reconnection ?? {};
  let attempt = performance.now() - since < STABLE_MS ? attempts : 0;
  const stop = () => stopped.abort();
  const startedAt = Date.now();
  let failure = lost;
  for (; attempt < MAX_ATTEMPTS && !signal.aborted; attempt++) {
    context.reconnection = {attempts: attempt + 1, stop};
    connectionChanged(context, {kind: 'starting', step: 'reconnecting', since: startedAt});
    context.giveUp = giveUp;
    await sleep(Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS), undefined, {signal}).catch(
      () => {},
    );
    if (context.giveUp === giveUp) context.giveUp = undefined;
    if (signal.aborted) break;
    openNewIfUnused(context);
    const started = await connect();
    if (stopped.signal.aborted) return;
    if (started.ok) {
      context.reconnection = {attempts: attempt + 1, since: performance.now(), stop: () => {}};
      context.sink.emit({type: 'notice', level: 'info', text: 'Reconnected to the agent.', at: Date.now()});
      return;
    }
    if (!isPassing(started.failure)) return;
    ({failure} = started);
  }
  if (!stopped.signal.aborted) connectionChanged(context, {kind: 'lost', failure});
}

const PASSING_REASONS: ReadonlySet<string> = new Set([
  'unreachable',
  'cut_off',
  'stalled',
  'proxy',
  'unexpected',
]);

/** True for a failure that may be temporary: a starting server may respond with anything except 401. */
export function isPassing(failure: Failure): boolean {
  if (failure.kind === 'connection_lost') return true;
  if (failure.kind !== 'remote') return false;
  const {reason, detail} = failure;
  return reason === 'status' ? detail !== '401' && detail !== '403' : PASSING_REASONS.has(reason);
}

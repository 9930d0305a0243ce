import {setImmediate as macrotask} from 'node:timers/promises';
import type {Result} from '../shared/failure.ts';
import type {ClientContext} from './context.ts';

/**
 * Waits for an agent's answer as long as the user does (`SessionActions.cancel`): who gives up gets the failure `no_answer`, and a late
 * answer changes nothing. `signal` tells the request, which the agent is then told not to answer ("Cancellation").
 */
export async function untilGivenUp<T>(
  context: ClientContext,
  method: string,
  ask: (signal: AbortSignal) => Promise<Result<T>>,
): Promise<Result<T>> {
  const since = performance.now();
  const withdrawal = new AbortController();
  const {promise: givenUp, resolve} = Promise.withResolvers<undefined>();
  const giveUp = () => {
    withdrawal.abort();
    resolve(undefined);
  };
  context.giveUp = giveUp;
  const answer = await Promise.race([ask(withdrawal.signal), givenUp]);
  if (context.giveUp === giveUp) context.giveUp = undefined;
  if (answer && !withdrawal.signal.aborted) return answer;
  // The agent is told before its connection may be closed.
  await macrotask();
  const seconds = Math.round((performance.now() - since) / 1000);
  return {ok: false, failure: {kind: 'no_answer', method, seconds}};
}

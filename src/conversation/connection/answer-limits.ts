import {fail, type Result} from '../../shared/failure.ts';
import {settledWithin} from '../../shared/timers/settled-within.ts';
import type {ConversationContext} from '../context.ts';

/** Fails with `no_answer` if `initialize` takes longer; a late response is ignored. */
export async function limitInitialize<T>(request: Promise<Result<T>>, seconds: number): Promise<Result<T>> {
  const answer = await settledWithin(request, seconds * 1000);
  return answer ?? fail({kind: 'no_answer', method: 'initialize', seconds});
}

/**
 * In a run without a user, fails with `no_answer` if a request after `initialize` takes longer. A user sees what is waited for, may have to sign in meanwhile,
 * and can give up. An agent that replays earlier messages has not fallen silent.
 */
export async function limitWithoutUser<T>(
  {sink, options: {hasUser, startSeconds: seconds}}: ConversationContext,
  method: string,
  request: Promise<Result<T>>,
): Promise<Result<T>> {
  if (hasUser) return request;
  const replayed = () => sink.state().replay?.entries;
  for (let before: unknown; ; before = replayed()) {
    const answer = await settledWithin(request, seconds * 1000);
    if (answer) return answer;
    if (replayed() === before) return fail({kind: 'no_answer', method, seconds});
  }
}

import type {SessionKey, Tab} from '../../app/state.ts';
import {connectionFailure} from '../../session/lifecycle/connection.ts';
import {isQueueAtRest} from '../../session/queue/queue.ts';
import {isIdle} from '../../session/selectors.ts';
import type {EffectContext} from '../effects/effect-context.ts';

/** Resolves with a session when nothing runs in it or waits to be sent, or when it has failed; with the last one known if it was closed. */
export function whenEnded(
  key: SessionKey,
  store: Pick<EffectContext['store'], 'latest' | 'onEvent'>,
): Promise<Tab | undefined> {
  const {promise, resolve} = Promise.withResolvers<Tab | undefined>();
  let last: Tab | undefined;
  // A session in the background gets its prompt later.
  let hasPrompt = false;
  const check = () => {
    const tab = store.latest().sessions[key];
    hasPrompt ||= tab !== undefined && hadPrompt(tab);
    if (tab && !(hasPrompt && isOver(tab)) && !hasFailed(tab)) return void (last = tab);
    stop();
    resolve(tab ?? last);
  };
  // What follows from the end of a turn comes with it, but after it.
  const stop = store.onEvent(() => queueMicrotask(check));
  check();
  return promise;
}

/** True if a prompt waits, is sent, or has been sent: all of that may have happened in one moment. */
function hadPrompt({session}: Tab): boolean {
  return !isQueueAtRest(session.queue) || !isIdle(session) || session.lastTurn !== undefined;
}

/** True if its turns have ended, or its prompt was taken back before the first one. */
function isOver({session}: Tab): boolean {
  const {queue, lastTurn} = session;
  const isAnswered = lastTurn !== undefined || queue.prompts.length === 0;
  return isAnswered && isIdle(session) && isQueueAtRest(queue);
}

function hasFailed({session: {connection}}: Tab): boolean {
  const failure = connectionFailure(connection);
  return failure !== undefined && failure.kind !== 'authentication_required';
}

import type {SessionEvent} from '../../session/events.ts';
import {limitWait, waitsUnasked} from '../../session/queue/provider-limit.ts';
import {callAt} from '../../shared/timers/call-at.ts';
import {inform, type ConversationContext} from '../context.ts';
import {changeQueue} from './send-queued.ts';

/**
 * Follows the limit of the agent's provider at which a prompt failed; call it after every event. When the limit is over, the prompt is sent again if that is
 * waited for, and not offered any more otherwise. With `waitsForLimits` it is waited for without being asked, see `waitsUnasked`.
 */
export function createLimitWait(contextOf: () => ConversationContext): (event: SessionEvent) => void {
  let awaited: number | undefined;
  let stop: (() => void) | undefined;
  let isSentAgain = false;

  function over(): void {
    const context = contextOf();
    isSentAgain = context.sink.state().queue.limit?.isAwaited === true;
    changeQueue(context, {kind: 'limit_over'});
  }

  function offer(): void {
    const context = contextOf();
    const {limit} = context.sink.state().queue;
    if (!limit?.prompt || !context.options.waitsForLimits) return;
    changeQueue(context, {kind: 'await_limit', isAwaited: true});
    inform(context, `${limitWait(limit)}.`);
  }

  return (event) => {
    const {queue, connection} = contextOf().sink.state();
    const until = connection.kind === 'closed' ? undefined : queue.limit?.until;
    if (until !== awaited) {
      awaited = until;
      stop?.();
      stop = until === undefined ? undefined : callAt(until, over);
    }
    if (event.type !== 'prompt_ended') return;
    if (waitsUnasked(contextOf().sink.state().lastTurn, isSentAgain)) offer();
    isSentAgain = false;
  };
}

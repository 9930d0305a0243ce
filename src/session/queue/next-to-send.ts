import {isIdle, isReady} from '../selectors.ts';
import type {SessionState} from '../state.ts';
import {isLimitAwaited} from './queue.ts';
import type {QueuedPrompt} from './queued-prompt.ts';

/** What the queue needs now. */
type NextToSend =
  /** A prompt whose turn can begin. */
  | {readonly kind: 'prompt'; readonly prompt: QueuedPrompt}
  /** A prompt for the running turn. */
  | {readonly kind: 'steer'; readonly prompt: QueuedPrompt}
  /** The turn is replaced by a prompt. */
  | {readonly kind: 'cancel'};

/**
 * Returns what to do for the queue; undefined for nothing. A prompt that is to be sent now is added to the running turn if the agent supports steering; it stays
 * queued until the agent has accepted it. Otherwise the turn is cancelled, so that the prompt is next.
 */
export function nextToSend(session: SessionState): NextToSend | undefined {
  const {queue, turn, agent} = session;
  const [first] = queue.prompts;
  if (!first) return undefined;
  const isFree = !queue.isHeld && !queue.isSending && isReady(session) && isIdle(session);
  const isHeldBack = isLimitAwaited(queue) && !first.urgent;
  if (isFree && !isHeldBack && (!queue.isPaused || first.direct)) return {kind: 'prompt', prompt: first};
  if (turn.kind !== 'running' || queue.prompts.some(({steering}) => steering)) return undefined;
  const urgent = queue.prompts.find((prompt) => prompt.urgent);
  return urgent && (agent?.steers ? {kind: 'steer', prompt: urgent} : {kind: 'cancel'});
}

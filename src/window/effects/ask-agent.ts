import {promptBlock} from '../../session/content/pasted-text.ts';
import type {QueuedPrompt} from '../../session/queue/queued-prompt.ts';
import {isLimitAwaited, type QueueState} from '../../session/queue/queue.ts';
import {isIdle, isReady, messageText} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import type {SessionContext} from './effect-context.ts';

/**
 * Sends the agent a prompt, which is shown, and returns the last message of its turn; undefined if that ends without one, or if the prompt would have to wait
 * for the user: it is not left in the queue then.
 */
export async function askAgent(
  {store, client, tab: {key}}: SessionContext,
  text: string,
): Promise<string | undefined> {
  const before = store.latest().sessions[key]?.session;
  if (!before || !isReady(before)) return undefined;
  const earlier = new Set(promptsOf(before.queue).map(({id}) => id));
  const {promise, resolve} = Promise.withResolvers<string | undefined>();
  let id: string | undefined;
  let turn: number | undefined;
  const unfollow = store.onEvent((event, state) => {
    const session = state.sessions[key]?.session;
    if (!session) return resolve(undefined);
    if (event.type !== 'session' || event.key !== key) return;
    const {event: happened} = event;
    id ??= promptsOf(session.queue).find((prompt) => prompt.text === text && !earlier.has(prompt.id))?.id;
    if (id === undefined) return;
    if (happened.type === 'prompt_started' && session.queue.lastPrompt?.id === id) ({turn} = happened);
    if (happened.type === 'prompt_ended' && happened.turn === turn) return resolve(answerOf(session, turn));
    if (turn === undefined && !isUnderWay(session, id)) resolve(undefined);
  });
  const prompt = {text, content: [promptBlock(text, [])], isSentOnce: true};
  const submitted = await client.changeQueue({kind: 'submit', prompt, place: 'first'});
  if (!submitted.ok) resolve(undefined);
  const answer = await promise.finally(unfollow);
  if (answer === undefined && id !== undefined) await client.changeQueue({kind: 'remove', id});
  return answer;
}

function promptsOf({prompts, lastPrompt}: QueueState): readonly QueuedPrompt[] {
  return lastPrompt ? [...prompts, lastPrompt] : prompts;
}

/** True while a prompt is sent, or will be without the user. */
function isUnderWay(session: SessionState, id: string): boolean {
  const {prompts, lastPrompt, isPaused, isSending} = session.queue;
  if (isLimitAwaited(session.queue)) return false;
  const waiting = prompts.find((prompt) => prompt.id === id);
  if (waiting) return isReady(session) && (waiting.direct === true || !isPaused);
  return lastPrompt?.id === id && (isSending || !isIdle(session));
}

function answerOf({entries, lastTurn}: SessionState, turn: number | undefined): string | undefined {
  if (lastTurn?.outcome.kind !== 'stopped' || lastTurn.outcome.stopReason !== 'end_turn') return undefined;
  const last = entries.findLast((entry) => entry.type === 'agent_message' && entry.turn === turn);
  const text = last?.type === 'agent_message' ? messageText(last).trim() : '';
  return text === '' ? undefined : text;
}

import {promptBlock} from '../../session/content/pasted-text.ts';
import {messageText} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import type {SessionContext} from './effect-context.ts';

/** Sends the agent a prompt, which is shown, and returns the last message of its turn; undefined if that ends without one. */
export async function askAgent(
  {store, client, tab: {key}}: SessionContext,
  text: string,
): Promise<string | undefined> {
  const {promise, resolve} = Promise.withResolvers<string | undefined>();
  let turn: number | undefined;
  const unfollow = store.onEvent((event, state) => {
    const session = state.sessions[key]?.session;
    if (!session) return resolve(undefined);
    if (event.type !== 'session' || event.key !== key) return;
    const {event: happened} = event;
    if (happened.type === 'prompt_started' && lastPromptOf(session) === text) ({turn} = happened);
    if (happened.type === 'prompt_ended' && happened.turn === turn) resolve(answerOf(session, turn));
  });
  await client.changeQueue({
    kind: 'submit',
    prompt: {text, content: [promptBlock(text, [])]},
    place: 'first',
  });
  return promise.finally(unfollow);
}

function lastPromptOf({entries}: SessionState): string | undefined {
  const last = entries.findLast((entry) => entry.type === 'user_message');
  return last && messageText(last);
}

function answerOf({entries, lastTurn}: SessionState, turn: number | undefined): string | undefined {
  if (lastTurn?.outcome.kind !== 'stopped' || lastTurn.outcome.stopReason !== 'end_turn') return undefined;
  const last = entries.findLast((entry) => entry.type === 'agent_message' && entry.turn === turn);
  const text = last?.type === 'agent_message' ? messageText(last).trim() : '';
  return text === '' ? undefined : text;
}

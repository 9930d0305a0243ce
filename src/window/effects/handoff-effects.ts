import {handoffPicker} from '../../app/recovery/handoff-picker.ts';
import {handedOver, handedOverSummary, SUMMARY_PROMPT} from '../../app/recovery/handoff-summary.ts';
import {promptBlock} from '../../session/content/pasted-text.ts';
import {messageText} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import {sessionTitle} from '../../session/titles.ts';
import {addNotice} from '../notices.ts';
import {notify, showPicker, type EffectHandlers, type SessionContext} from './effect-context.ts';

export const handoffEffects = {
  async hand_off({agent, part}, context) {
    const {store, sessions, tab} = context;
    if (part === undefined) return showPicker(context, handoffPicker(tab, agent));
    const summary = part === 'summary' ? await summaryOf(context) : '';
    if (summary === undefined) return notify(context, 'There is no summary, so nothing was handed over.');
    const {session} = tab;
    const from = session.agent?.title ?? session.agent?.name ?? tab.agentLabel;
    const text =
      part === 'summary'
        ? handedOverSummary(summary)
        : handedOver(session, part === 'all' ? undefined : part);
    const title = sessionTitle(session);
    let key: string | undefined;
    const chosen = await sessions.chooser.choose(agent, (added) => {
      key = added;
      store.dispatch({type: 'handoff_received', key: added, text, from}, 'urgent');
    });
    if (key === undefined) return chosen;
    const named = title === undefined ? '' : ` "${title}"`;
    addNotice(store, `Continues the session${named} with ${from}.`, {level: 'info', key});
    addNotice(store, `Handed over to ${agent}.`, {level: 'info', key: tab.key});
    const isOpen = store.latest().sessions[key]?.session.connection.kind === 'ready';
    return isOpen && title !== undefined ? sessions.clientOf(key).renameSession(title) : chosen;
  },
} satisfies Partial<EffectHandlers>;

/** Has the agent write a summary; undefined if its turn ends without one. */
async function summaryOf({store, client, tab: {key}}: SessionContext): Promise<string | undefined> {
  const {promise, resolve} = Promise.withResolvers<string | undefined>();
  let turn: number | undefined;
  const unfollow = store.onEvent((event, state) => {
    const session = state.sessions[key]?.session;
    if (!session) return resolve(undefined);
    if (event.type !== 'session' || event.key !== key) return;
    const {event: happened} = event;
    if (happened.type === 'prompt_started' && lastPromptOf(session) === SUMMARY_PROMPT) ({turn} = happened);
    if (happened.type === 'prompt_ended' && happened.turn === turn) resolve(answerOf(session, turn));
  });
  const prompt = {text: SUMMARY_PROMPT, content: [promptBlock(SUMMARY_PROMPT, [])]};
  await client.changeQueue({kind: 'submit', prompt, place: 'first'});
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

import {handoffPicker} from '../../app/recovery/handoff-picker.ts';
import {handedOver, handedOverSummary, SUMMARY_PROMPT} from '../../app/recovery/handoff-summary.ts';
import type {SessionKey} from '../../app/state.ts';
import {isReady} from '../../session/selectors.ts';
import {sessionTitle} from '../../session/titles.ts';
import {addNotice} from '../notices.ts';
import {askAgent} from './ask-agent.ts';
import {notify, notifyBehind, showPicker, type EffectContext, type EffectHandlers} from './effect-context.ts';

export const handoffEffects = {
  async hand_off({agent, part}, context) {
    const {store, sessions, tab, began} = context;
    if (part === undefined) return showPicker(context, handoffPicker(tab, agent));
    const summary = part === 'summary' ? await askAgent(context, SUMMARY_PROMPT) : '';
    if (summary === undefined) return notify(context, 'No summary: nothing was handed over.');
    const {session} = tab;
    const from = session.agent?.title ?? session.agent?.name ?? tab.agentLabel;
    const text =
      part === 'summary'
        ? handedOverSummary(summary)
        : handedOver(session, part === 'all' ? undefined : part);
    const title = sessionTitle(session);
    let key: string | undefined;
    const chosen = await sessions.chooser.choose(agent, {
      began,
      session,
      onAdded(added) {
        key = added;
        store.dispatch({type: 'handoff_received', key: added, text, from}, 'urgent');
        notifyBehind(added, context, (place) => `The conversation is ${place}, with ${agent}.`);
      },
    });
    if (key === undefined) return chosen;
    addNotice(store, `Handed over to ${agent}.`, {level: 'info', key: tab.key});
    if (title === undefined || !(await untilReady(key, context))) return chosen;
    return sessions.clientOf(key).renameSession(title);
  },
} satisfies Partial<EffectHandlers>;

/** Resolves once a session is ready, which may take a sign-in; false if it leaves the window before that. */
async function untilReady(key: SessionKey, {store}: EffectContext): Promise<boolean> {
  const {promise, resolve} = Promise.withResolvers<boolean>();
  const check = () => {
    const session = store.latest().sessions[key]?.session;
    if (!session || isReady(session)) resolve(session !== undefined);
  };
  const unfollow = store.onEvent(check);
  check();
  return promise.finally(unfollow);
}

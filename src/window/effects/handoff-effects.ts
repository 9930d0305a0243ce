import {handoffPicker} from '../../app/recovery/handoff-picker.ts';
import {handedOver, handedOverSummary, SUMMARY_PROMPT} from '../../app/recovery/handoff-summary.ts';
import {sessionKeys} from '../../app/open-sessions.ts';
import {sessionTitle} from '../../session/titles.ts';
import {addNotice} from '../notices.ts';
import {askAgent} from './ask-agent.ts';
import {notify, showPicker, type EffectHandlers} from './effect-context.ts';

export const handoffEffects = {
  async hand_off({agent, part}, context) {
    const {store, sessions, tab} = context;
    if (part === undefined) return showPicker(context, handoffPicker(tab, agent));
    const summary = part === 'summary' ? await askAgent(context, SUMMARY_PROMPT) : '';
    if (summary === undefined) return notify(context, 'There is no summary, so nothing was handed over.');
    const {session} = tab;
    const from = session.agent?.title ?? session.agent?.name ?? tab.agentLabel;
    const text =
      part === 'summary'
        ? handedOverSummary(summary)
        : handedOver(session, part === 'all' ? undefined : part);
    const title = sessionTitle(session);
    let key: string | undefined;
    const chosen = await sessions.chooser.choose(agent, {
      from: tab.key,
      folders: session,
      onAdded(added) {
        key = added;
        store.dispatch({type: 'handoff_received', key: added, text, from}, 'urgent');
        const number = sessionKeys(store.latest()).indexOf(added) + 1;
        if (store.latest().active !== added)
          notify(context, `The conversation is in session ${number}, with ${agent}.`);
      },
    });
    if (key === undefined) return chosen;
    addNotice(store, `Handed over to ${agent}.`, {level: 'info', key: tab.key});
    const isOpen = store.latest().sessions[key]?.session.connection.kind === 'ready';
    return isOpen && title !== undefined ? sessions.clientOf(key).renameSession(title) : chosen;
  },
} satisfies Partial<EffectHandlers>;

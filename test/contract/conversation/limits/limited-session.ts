import type {ConversationOptions} from '../../../../src/conversation/options.ts';
import type {NewPrompt} from '../../../../src/session/queue/queued-prompt.ts';
import type {Limits} from '../../../../src/session/settings/limits.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {openScripted} from '../open-conversation.ts';

export const costs = (amount: number): ScriptStep => ({
  update: {sessionUpdate: 'usage_update', used: 1, size: 100, cost: {amount, currency: 'USD'}},
});
export const untilCancelled: readonly ScriptStep[] = [{cancelled: true}, {stop: 'cancelled'}];

export const noticesOf = ({entries}: SessionState) =>
  entries.slice().flatMap((entry) => (entry.type === 'notice' ? [entry.text] : []));
export const isAsked = ({pending}: SessionState) => pending.length === 1;
const isIdle = ({turn, pending}: SessionState) => turn.kind === 'idle' && pending.length === 0;

/** A session whose turns cost that, with its limits; a turn that reaches one waits for its cancellation. */
export async function openLimited(
  limits: Limits,
  turns: readonly (readonly ScriptStep[])[],
  options: Partial<ConversationOptions> = {},
) {
  const opened = await openScripted({turns}, {limits, ...options});
  const {conversation, state, until} = opened;
  return {
    ...opened,
    prompts: () => opened.sent().filter(({method}) => method === 'session/prompt').length,
    submit(text: string, how: Pick<NewPrompt, 'isSentOnce'> = {}) {
      const prompt = {text, content: [{type: 'text', text}], ...how} as const;
      void conversation.changeQueue({kind: 'submit', prompt, place: 'last'});
    },
    async ask(text: string, how: Pick<NewPrompt, 'isSentOnce'> = {}) {
      this.submit(text, how);
      await until(isAsked, 'the question');
      return state().pending[0];
    },
    async answer(index: 0 | 1) {
      await conversation.answer(state().pending[0]?.id ?? '', {kind: 'option', index});
      await until(isIdle, 'the session to be idle');
    },
  };
}

import type {SessionEffect} from '../app/effects.ts';
import type {SessionKey} from '../app/state.ts';
import {failureSentence} from '../errors.ts';
import type {Performer} from './perform.ts';

type SendPrompt = Extract<SessionEffect, {kind: 'send_prompt'}> & {readonly key: SessionKey};

/**
 * Sends a prompt with its files, read now. When one of them cannot be read nothing is sent: the prompt waits at the front of
 * the queue, and a notice says why.
 */
export async function sendPrompt(
  {key, content, files}: SendPrompt,
  {store, clientOf}: Pick<Performer, 'store' | 'clientOf'>,
): Promise<undefined> {
  const {actions} = clientOf(key);
  const mayNameFiles = content.some((block) => block.type === 'text' && block.text.includes('@'));
  if (files.length === 0 && !mayNameFiles) {
    actions.prompt(content);
    return undefined;
  }
  const {promptContent} = await import('../attachments/prompt-content.ts');
  const open = store.current().sessions[key];
  if (!open) return undefined;
  const {cwd, additionalDirectories, agent} = open.session;
  const prepared = await promptContent(
    {content, files},
    {cwd, additionalDirectories, capabilities: agent?.capabilities.promptCapabilities},
  );
  // The agent may have gone away meanwhile: then the prompt waits again already.
  if (!store.current().sessions[key]?.sending) return undefined;
  if (!prepared.ok) {
    const reason = failureSentence(prepared.failure);
    notice(`The prompt was not sent. ${reason} ↑ on an empty prompt edits it.`);
    store.dispatch({type: 'prompt_not_sent', key});
    return undefined;
  }
  actions.prompt(prepared.value.content);
  for (const remark of prepared.value.remarks) notice(remark);
  return undefined;

  function notice(text: string): void {
    store.dispatch({type: 'session', key, event: {type: 'notice', level: 'warning', text, at: Date.now()}});
  }
}

import {expect, test, vi} from 'vitest';
import type {promptContent} from '../../../../src/attachments/prompt-content.ts';
import {openScripted} from '../open-conversation.ts';

const readings: (() => void)[] = [];

/** Each prompt waits for its files until the test releases it. */
vi.mock('../../../../src/attachments/prompt-content.ts', () => ({
  promptContent: (async ({content}) => {
    const {promise, resolve} = Promise.withResolvers<void>();
    readings.push(resolve);
    await promise;
    return {ok: true, value: {content, remarks: []}};
  }) satisfies typeof promptContent,
}));

test('a prompt that was removed is not sent when its files are read at last, and one that was sent meanwhile is', async () => {
  const {conversation, state, sent} = await openScripted({turns: [[]]});
  const submit = (text: string) =>
    conversation.changeQueue({
      kind: 'submit',
      prompt: {text, content: [{type: 'text', text}]},
      place: 'last',
    });
  await submit('first @a');
  await expect.poll(() => readings).toHaveLength(1);
  await conversation.restart();
  await conversation.changeQueue({kind: 'remove', id: state().queue.prompts[0]!.id});
  await submit('second @b');
  await expect.poll(() => readings).toHaveLength(2);
  for (const release of readings) release();
  const prompts = () =>
    JSON.stringify(
      sent()
        .filter(({method}) => method === 'session/prompt')
        .map(({params}) => params),
    );
  await expect.poll(prompts).toContain('@');
  await expect.poll(() => state().queue).toMatchObject({isSending: false, prompts: []});
  expect(prompts()).toContain('second @b');
  expect(prompts()).not.toContain('first @a');
});

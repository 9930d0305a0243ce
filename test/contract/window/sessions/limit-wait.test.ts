import {expect, test} from 'vitest';
import {fakeAgent, openReady, promptWith} from '../../../support/driver/chat.ts';

/** An agent that fails at a limit of that time, and then answers. */
const limited = (time: string) =>
  fakeAgent(
    'script',
    JSON.stringify({
      turns: [
        [{fail: {code: -32603, message: `You've hit your usage limit. Try again in ${time}.`}}],
        [{update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'All is well.'}}}],
      ],
    }),
  );

const TIME = String.raw`(?:[A-Z][a-z]{2} )?\d\d:\d\d`;
const OFFER = new RegExp(`Wait until ${TIME} and send again · Enter show options`);
const WAITING = new RegExp(`Waiting until ${TIME} to send the prompt again…`);

test('waiting for the end of a limit is offered, shown, goes on behind another session, and is cancelled by Esc', async () => {
  const chat = await openReady({agent: limited('2 hours'), columns: 100});
  chat.type('one\r');
  await chat.sees(OFFER);
  chat.press('enter');
  await chat.sees(/The provider's limit ends at/);
  await chat.sees(new RegExp(`❯ 1?.*Wait until ${TIME} and send again`));
  chat.press('enter');
  await chat.sees(WAITING);
  await chat.sees('Esc cancel');
  chat.type('two\r');
  await chat.sees(/then +two/);
  chat.press('ctrl+x');
  await chat.sees('switch to the open session of that number');
  chat.type('n');
  await chat.sees('2/2');
  await expect.poll(() => chat.screen()).not.toMatch(WAITING);
  chat.press('ctrl+x');
  await chat.sees('switch to the open session of that number');
  chat.type('1');
  await chat.sees(WAITING);
  chat.press('escape');
  await chat.sees(OFFER);
  await chat.sees(/paused +two/);
  chat.press('enter');
  await chat.sees('Continue with the queue');
  await chat.sees('Send again now');
  chat.press('escape');
  await chat.sees(promptWith(''));
});

test('with --wait-for-limits the prompt is sent again without a question', async () => {
  const chat = await openReady({agent: limited('1s'), args: ['--wait-for-limits'], columns: 100});
  chat.type('one\r');
  await chat.hasSeen('to send the prompt again.');
  await chat.hasSeen('All is well.');
  expect(chat.screen()).not.toContain('and send again');
});

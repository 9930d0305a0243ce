import {inflateSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {plainPicture} from '../../../support/text/png-file.ts';
import {fakeAgent, openReady, untilTurnsEnd} from '../../../support/driver/chat.ts';

const data = plainPicture(80, 48, [200, 0, 9]).toString('base64');
const agent = fakeAgent(
  'updates',
  JSON.stringify([
    {sessionUpdate: 'agent_message_chunk', content: {type: 'image', mimeType: 'image/png', data}},
  ]),
);

test('a terminal that says it is kitty, and accepts a picture, gets the pictures of an agent', async () => {
  const chat = await openReady({agent});
  expect(chat.raw).toContain('\x1b[>q');
  expect(chat.raw).not.toContain('\x1b_G');
  chat.type('\x1bP>|kitty(0.42.0)\x1b\\');
  await chat.until(() => chat.raw.includes('\x1b_Gi=1,a=q'), 'the question whether it shows pictures');
  chat.type('\x1b_Gi=1;OK\x1b\\');
  chat.type('go\r');
  await untilTurnsEnd(chat, 1);
  await chat.hasSeen('\u{10eeee}');
  const [, piece = ''] = /\x1b_Ga=T,q=2,U=1,f=32,o=z,[^;]*,m=0;([\w+/=]*)\x1b\\/.exec(chat.raw) ?? [];
  expect([...inflateSync(Buffer.from(piece, 'base64')).subarray(0, 4)]).toEqual([200, 0, 9, 255]);
  await expect.poll(() => chat.screen()).not.toContain('Gi=1');
});

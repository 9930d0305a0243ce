import {expect, test} from 'vitest';
import {fakeAgent, openReady, untilTurnsEnd} from '../../../support/driver/chat.ts';

const TOLD = /This session is not stored: it is lost when acp-tui quits/g;
/** The same, wherever the terminal wraps it. */
const SEEN = new RegExp(TOLD.source.replaceAll(' ', String.raw`\s+`));

test('an unwritable disk is reported once, and the chat continues', async () => {
  const chat = await openReady({agent: fakeAgent('echo'), env: {ACP_TUI_STATE_DIR: '/dev/null/state'}});
  chat.type('still here\r');
  await untilTurnsEnd(chat);
  chat.type('and here\r');
  await untilTurnsEnd(chat, 2);
  await chat.hasSeen(SEEN);
  await expect.poll(() => chat.history().replaceAll(/\s+/g, ' ').match(TOLD)).toHaveLength(1);
  chat.signal('SIGTERM');
  expect(await chat.ended()).toBe(143);
});

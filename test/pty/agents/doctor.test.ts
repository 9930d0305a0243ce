import {expect, test} from 'vitest';
import {fakeAgent, openChat, type Chat} from '../../support/driver/chat.ts';

const QUESTION = 'They may incur costs. [y/N]';

/** The doctor at its question whether it may send prompts. */
async function asked(): Promise<Chat> {
  const chat = openChat({args: ['doctor', fakeAgent('breaks', 'nothing')], rows: 60});
  await chat.sees(QUESTION);
  return chat;
}

test('the doctor asks before it sends a prompt: yes sends two, any other answer none, Ctrl+C stops it', async () => {
  const yes = await asked();
  yes.type('y\r');
  await yes.sees(/^a prompt +always +yes .*end_turn$/m);
  await yes.until(() => yes.exit !== undefined, 'for the end');
  expect(yes.exit).toMatchObject({code: 0});

  const no = await asked();
  no.type('\r');
  await no.sees(/^a prompt +always +– /m);
  await no.until(() => no.exit !== undefined, 'for the end');
  expect(no.exit).toMatchObject({code: 0});

  const interrupted = await asked();
  interrupted.press('ctrl+c');
  await interrupted.sees('Interrupted: results so far.');
  await interrupted.until(() => interrupted.exit !== undefined, 'for the end');
  expect(interrupted.exit).toMatchObject({code: 130});
});

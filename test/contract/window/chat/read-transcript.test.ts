import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fakeAgent, openReady, READY, say, runCommand} from '../../../support/driver/chat.ts';

test('the transcript can be copied, exported, found in a later window and read there', async () => {
  const chat = await openReady({agent: fakeAgent('echo'), env: {SSH_TTY: '/dev/none', TMUX: ''}});
  await say(chat, 'About whales', 1);
  await chat.sees(READY);
  await runCommand(chat, '/copy');
  await chat.sees(/Sent the last answer to the terminal's clipboard/);
  expect(chat.clipboard.splice(0)).toEqual([`c;${Buffer.from('About whales').toString('base64')}`]);
  chat.type('/export html out.html');
  await chat.sees('/export html out.html');
  chat.press('enter');
  await chat.sees('Exported to out.html; credentials masked.');
  expect(readFileSync(join(chat.cwd, 'out.html'), 'utf8')).toContain('About whales');
  chat.type('/quit\r');
  await chat.ended();

  const later = await openReady({agent: fakeAgent('echo'), home: chat.home, cwd: chat.cwd});
  later.type('/resume whal');
  await later.sees('/resume whal');
  later.press('enter');
  await later.sees(/Sessions of this folder[^]*❯ About whales/);
  later.press('right');
  await later.sees('❯ Resume');
  later.press('down');
  await later.sees('❯ Read');
  later.press('enter');
  await later.sees(/About whales[^]*q or Esc close/);
  later.type('q');
  await later.sees(READY);
});

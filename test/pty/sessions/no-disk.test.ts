import {expect, test} from 'vitest';
import {fakeAgent, openShell, PROGRAM, quoted, READY, untilTurnsEnd} from '../../support/driver/chat.ts';

const TOLD = /This session is not stored: it is lost when acp-tui quits/g;
/** The same, wherever the terminal wraps it. */
const SEEN = new RegExp(TOLD.source.replaceAll(' ', String.raw`\s+`));

test('what is not stored is not offered to resume', async () => {
  const shell = await openShell({env: {ACP_TUI_STATE_DIR: '/dev/null/state'}});
  shell.type(`${quoted([process.execPath, PROGRAM, '--agent', fakeAgent('echo')])}\r`);
  await shell.sees(READY);
  shell.type('hello\r');
  await untilTurnsEnd(shell);
  shell.press('ctrl+d');
  await shell.sees(/\$$/);
  expect(shell.history()).not.toContain('To resume this session');
});

test('a disk that becomes full during an answer is reported once, and nothing of the answer is missing', async () => {
  const shell = await openShell({columns: 100});
  const line = quoted([process.execPath, PROGRAM, '--agent', fakeAgent('flood', '4000', ' ')]);
  // The limit of a file in blocks of 512 bytes.
  shell.type(`ulimit -f 600; ${line}\r`);
  await shell.sees(READY);
  shell.type('go\r');
  await untilTurnsEnd(shell);
  // Where rows end depends on where the notice came.
  await shell.hasSeen(/3998\s+3999/);
  await shell.hasSeen(SEEN);
  await expect.poll(() => shell.history().replaceAll(/\s+/g, ' ').match(TOLD)).toHaveLength(1);
  shell.type('/quit');
  await shell.sees('❯ /quit');
  shell.press('enter');
  await shell.sees(/\$$/);
});

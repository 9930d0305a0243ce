import {expect, test} from 'vitest';
import {fakeAgent, openShell, PROGRAM, quoted, untilTurnsEnd} from '../../support/driver/chat.ts';

test('a mistyped subcommand is a prompt in a terminal only when the user says so', async () => {
  const shell = await openShell({columns: 120});
  const agent = fakeAgent('echo');
  const acpTui = `ACP_TUI_AGENT=${quoted([agent])} ${quoted([process.execPath, PROGRAM])}`;
  shell.type(`${acpTui} agent list; echo code $?\r`);
  await shell.sees('Did you mean: acp-tui agents list');
  await shell.sees('To send it as a prompt: acp-tui -- agent list');
  await shell.sees('Send it as a prompt now? [y/N]');
  shell.type('\r');
  await shell.sees('code 2');
  shell.type(`${acpTui} sesions\r`);
  await shell.sees(/-- sesions\nSend it as a prompt now\? \[y\/N\]/);
  shell.type('y\r');
  await untilTurnsEnd(shell);
  expect(shell.history()).toMatch(/▌ sesions/);
});

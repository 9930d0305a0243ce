import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {openShell, PROGRAM, quoted, READY} from '../../support/driver/chat.ts';
import {chatWithRows} from '../../support/driver/running-chat.ts';
import {untouched} from '../../support/driver/modes.ts';

test('gives the terminal to an editor and takes it back', async () => {
  const chat = await chatWithRows(5, {env: {EDITOR: `${process.execPath} edit.js`}});
  const script = `const fs = require('node:fs'); fs.writeFileSync(process.argv.at(-1), 'from the editor');`;
  writeFileSync(path.join(chat.cwd, 'edit.js'), script);
  chat.type('\x07');
  await chat.sees('from the editor');
  await chat.sees('The command printed 5 lines');
  expect(chat.modes.alternateScreen).toBe(true);
});

test('is suspended with Ctrl+Z and resumed with fg', async () => {
  const shell = await openShell();
  shell.type(`set -m; ${quoted([process.execPath, PROGRAM, '--agent', 'demo', '--fullscreen'])}\r`);
  await shell.sees(READY);
  shell.type('\x1a');
  await shell.sees(/\$$/);
  expect(shell.modes).toMatchObject({...untouched, bracketedPaste: expect.any(Boolean) as boolean});
  shell.type('fg\r');
  await shell.sees(READY);
  expect(shell.modes.alternateScreen).toBe(true);
  shell.type('/quit\r');
  await shell.until(() => !shell.modes.alternateScreen, 'the end');
});

test('restores the terminal after a signal', async () => {
  const chat = await chatWithRows(5);
  chat.signal('SIGTERM');
  await chat.ended();
  expect(chat.modes).toEqual(untouched);
});

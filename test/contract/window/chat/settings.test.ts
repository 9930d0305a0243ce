import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {openReady} from '../../../support/driver/chat.ts';

test('a setting is found, changed in the selected scope, and an invalid value is rejected with a message', async () => {
  const chat = await openReady({snapshots: true});
  const file = path.join(chat.home, '.config/acp-tui/config.json');
  const written = () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : {});
  chat.type('/settings');
  chat.press('enter');
  await chat.sees('❯ theme');
  chat.type('editing');
  await chat.sees('❯ editing');
  chat.press('enter');
  await chat.sees('readline (now)');
  chat.press('down');
  chat.press('enter');
  await chat.sees('editing is saved in your settings.');
  await chat.sees(/editing +vim +your settings/);
  expect(written()).toEqual({editing: 'vim'});

  // Back in the list, with the same filter.
  chat.press('ctrl+u');
  chat.type('keepdays');
  await chat.sees('❯ sessions.keepDays');
  chat.press('enter');
  await chat.sees('Value:');
  chat.type('soon');
  await chat.sees('Value: soon');
  chat.press('enter');
  await chat.sees('not "soon"; nothing changed.');
  chat.press('ctrl+u');
  chat.type('30');
  await chat.sees('Value: 30');
  chat.press('enter');
  await chat.sees('it applies at the next start');
  expect(written()).toEqual({editing: 'vim', sessions: {keepDays: 30}});
  chat.press('ctrl+u');
  chat.press('escape');
  await chat.noLongerSees('Esc close');

  // Into the folder.
  chat.type('/settings the default agent');
  chat.press('enter');
  await chat.sees('❯ sandbox.enabled ');
  chat.press('down');
  await chat.sees('❯ sandbox.sockets ');
  chat.press('down');
  await chat.sees('❯ agent ');
  chat.press('enter');
  await chat.sees('Save in .acp-tui.json');
  chat.press('ctrl+u');
  chat.type('my-agent');
  chat.press('down');
  chat.press('enter');
  await chat.sees('agent is saved in .acp-tui.json');
  expect(readFileSync(path.join(chat.cwd, '.acp-tui.json'), 'utf8')).toBe('{\n  "agent": "my-agent"\n}\n');
  chat.press('escape');
  await chat.noLongerSees('Esc close');
});

import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../../../support/driver/chat.ts';
import {askToRun, openPuppet, type PuppetChat} from '../../../support/driver/puppet.ts';

/** What is shown while the request can be allowed. */
const LIT = 'Enter or number select';

interface Size {
  readonly rows?: number;
  readonly columns?: number;
}

/** A home whose settings define what must be read. */
function homeWith(requireReading: string): string {
  const home = temporaryFolder('home');
  const folder = path.join(home, '.config/acp-tui');
  mkdirSync(folder, {recursive: true});
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify({requireReading}));
  return home;
}

/** A chat in which the agent requests a command of many lines, and the request has the focus. */
async function openLong(size: Size = {rows: 20}, home?: string): Promise<PuppetChat> {
  const chat = await openPuppet({...size, ...(home !== undefined && {home})});
  await chat.begin();
  chat.type('x');
  const lines = Array.from({length: 50}, (_, line) => `echo line-${line}`);
  chat.report(askToRun(lines.join('\n')), {end: 'end_turn'});
  await chat.sees('Request pending · Tab answer');
  chat.press('tab');
  return chat;
}

test('a long command is allowed only after every page of it, with or without End', async () => {
  const chat = await openLong();
  await chat.sees('Read it all to allow (Space/PgDn)');
  chat.press('end');
  await chat.sees('echo line-49');
  await chat.sees('lines left · n reject');
  chat.type('y');
  await chat.sees('Read the rest before allowing');
  expect(chat.history()).not.toContain('request: yes');
  await chat.typeUntilItSees(' ', LIT);
  await chat.typeUntilItSees('y', 'request: yes');
});

test('a window that becomes narrower shows other lines, which must be read again', async () => {
  const chat = await openLong({rows: 20, columns: 100});
  await chat.sees('Read it all to allow');
  await chat.typeUntilItSees(' ', LIT);
  chat.resize(60, 20);
  await chat.sees('Read it all to allow');
  chat.type('y');
  await chat.sees('Read the rest before allowing');
  expect(chat.history()).not.toContain('request: yes');
  await chat.typeUntilItSees(' ', LIT);
  await chat.typeUntilItSees('y', 'request: yes');
});

test('"requireReading": "none" allows a long command at once', async () => {
  const chat = await openLong({rows: 20}, homeWith('none'));
  await chat.sees(LIT);
  await chat.typeUntilItSees('y', 'request: yes');
});

test('a request that the agent changes says so, and shows what it asks for now', async () => {
  const chat = await openPuppet();
  await chat.begin();
  chat.type('x');
  chat.report(askToRun('make'));
  await chat.sees('Request pending · Tab answer');
  chat.press('tab');
  await chat.sees(LIT);
  const update = {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'request',
    rawInput: {command: 'make install'},
  };
  chat.report({update}, {end: 'end_turn'});
  await chat.sees('The agent changed this request');
  await chat.sees('$ make install');
  await chat.sees(LIT);
  expect(chat.history()).not.toContain('request: yes');
  await chat.typeUntilItSees('1', 'request: yes');
});

test('hidden characters are shown, and require Tab before the key that allows', async () => {
  const chat = await openPuppet();
  await chat.begin();
  chat.type('x');
  chat.report(askToRun('ls -la \x1b]0;touch x;#\x07'), {end: 'end_turn'});
  await chat.sees('Request pending · Tab answer');
  chat.press('tab');
  await chat.sees('Contains hidden characters. To allow: Tab, then a number.');
  await chat.sees('touch x');
  chat.type('y');
  await chat.sees('Enter does not allow it');
  expect(chat.history()).not.toContain('request: yes');
  chat.press('tab');
  await chat.noLongerSees('To allow: Tab');
  chat.type('1');
  await chat.hasSeen('request: yes');
});

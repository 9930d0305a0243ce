import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {
  openChat,
  openReady,
  promptWith,
  temporaryFolder,
  untilTurnsEnd,
  type Chat,
  newHome,
} from '../../../support/driver/chat.ts';
import {processesOf} from '../../../support/driver/processes.ts';
import {openPuppet} from '../../../support/driver/puppet.ts';
import {storedUnsentText} from '../../../support/driver/stored.ts';

const LIT = 'Ctrl+S submit';

/** A row of the form that shows this text only. */
const line = (text: string) => new RegExp(`^│ {3}${text} *│$`, 'm');

/** Types into the field, and goes to the next one. */
async function fillIn(chat: Chat, field: string, typed: string, filled: string | RegExp = line(typed)) {
  await chat.sees(`❯ ${field}`);
  chat.type(typed);
  await chat.sees(filled);
  chat.press('tab');
}

test('a form with every kind of field is filled in with keys, corrected, and sent', async () => {
  const chat = await openReady({rows: 40});
  chat.type('/form\r');
  await chat.sees(LIT);
  await fillIn(chat, 'Your name (required)', 'Ada');
  await fillIn(chat, 'Your address', 'ada@x');
  await chat.sees('! Must be an email address');
  await fillIn(chat, 'Your site', 'https://example.com');
  await fillIn(chat, 'With terminals since', '2024-02-29');
  await fillIn(chat, 'A branch for it', '\x15Bad branch', line('Bad branch'));
  await fillIn(chat, 'A color', '2', '(x) 2. Green');
  await chat.sees('❯ Your shell');
  chat.type('zs');
  await chat.sees('❯ ( ) zsh');
  chat.press('enter');
  await chat.sees('Your shell: zsh');
  await chat.sees('❯ What you use');
  chat.type(' ');
  await chat.sees('[x] 1. tmux');
  chat.press('down');
  await fillIn(chat, '[ ] 2. vim', ' ', '[x] 2. vim');
  await fillIn(chat, 'How often a day', '7');
  await fillIn(chat, 'How wide, in meters', '1.5');
  await chat.sees('❯ (x) 1. yes');
  chat.type('2');
  await chat.sees('(x) 2. no');
  chat.press('ctrl+s');
  await chat.sees('1 field needs attention');
  await chat.sees('❯ Your address');
  chat.type('\x15ada@example.com');
  await chat.sees(line('ada@example.com'));
  chat.press('ctrl+s');
  await chat.sees('! Does not match the pattern');
  chat.type('\x15ok');
  await chat.sees(line('ok'));
  chat.press('ctrl+s');
  await untilTurnsEnd(chat);
  const shown = chat.history().slice(chat.history().indexOf('with accept'));
  const json = /\{[^]*\}/.exec(shown.replace(/ +json$/m, ''))?.[0] ?? '';
  expect(JSON.parse(json)).toEqual({
    name: 'Ada',
    email: 'ada@example.com',
    site: 'https://example.com',
    since: '2024-02-29',
    branch: 'ok',
    color: '#0a0',
    shell: 'zsh',
    tools: ['tmux', 'vim'],
    often: 7,
    width: 1.5,
    happy: false,
  });
  await chat.hasSeen('Are you happy with it: no');
});

test('a URL is shown in full, opened only when allowed, and the agent reports completion', async () => {
  const folder = temporaryFolder('browser');
  const opened = path.join(folder, 'opened');
  const browser = path.join(folder, 'browser');
  writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`);
  writeFileSync(opened, '');
  chmodSync(browser, 0o755);
  const chat = await openReady({env: {BROWSER: browser}});
  chat.type('/link\r');
  await chat.sees('Enter or number select');
  await chat.sees('Host: agentclientprotocol.com');
  expect(readFileSync(opened, 'utf8')).toBe('');
  chat.type('1');
  await untilTurnsEnd(chat);
  await chat.sees('That is done.');
  await chat.until(() => readFileSync(opened, 'utf8').includes('elicitationId='), 'the browser to open it');
  const address = readFileSync(opened, 'utf8');
  expect(address).toMatch(/^https:\/\/agentclientprotocol\.com\/rfds\/elicitation\?from=demo&elicitationId=/);
  await expect.poll(() => chat.history().replaceAll(/\n */g, '')).toContain(address);
});

test('text typed into a form is in the prompt when the agent dies, and after a crash', async () => {
  const home = newHome();
  const chat = await openPuppet({home, ownProcess: true});
  await chat.begin();
  const requestedSchema = {type: 'object', properties: {name: {type: 'string', title: 'Name'}}};
  const form = {mode: 'form', message: 'Who?', requestedSchema};
  chat.report({request: 'elicitation/create', params: form, name: 'form'});
  await chat.sees(LIT);
  chat.type('Ada Lovelace');
  await chat.sees(line('Ada Lovelace'));
  const agent = processesOf(home).find(({command}) => /^\S+ \S+\/fake-agent\.js/.test(command));
  process.kill(agent?.pid ?? 0, 'SIGKILL');
  await chat.noLongerSees(LIT);
  await chat.sees(promptWith('Ada Lovelace'));
  await chat.until(() => storedUnsentText(chat).includes('Ada Lovelace'), 'the draft to be stored');
  chat.signal('SIGKILL');
  await chat.ended();
  const next = openChat({home, agent: 'demo'});
  await next.sees(promptWith('Ada Lovelace'));
});

import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {
  openChat,
  openReady,
  promptWith,
  temporaryFolder,
  untilTurnsEnd,
} from '../../../support/driver/chat.ts';
import {focusRequest, WAITS} from '../../../support/driver/focus-request.ts';
import {processesOf} from '../../../support/driver/processes.ts';
import {openPuppet} from '../../../support/driver/puppet.ts';
import {stored} from '../../../support/driver/stored.ts';

const LIT = 'Ctrl+S submit';

test('a form with every kind of field is filled in with keys, corrected, and sent', async () => {
  const chat = await openReady({rows: 40});
  chat.type('/form\r');
  await focusRequest(chat, LIT);
  await chat.sees('❯ Your name (required)');
  chat.type('Ada');
  await chat.sees(/^│ {3}Ada *│$/m);
  chat.press('tab');
  await chat.sees('❯ Your address');
  chat.type('ada@x');
  await chat.sees(/^│ {3}ada@x *│$/m);
  chat.press('tab');
  await chat.sees('! Must be an email address');
  await chat.sees('❯ Your site');
  chat.type('https://example.com');
  await chat.sees(/^│ {3}https:\/\/example\.com *│$/m);
  chat.press('tab');
  await chat.sees('❯ With terminals since');
  chat.type('2024-02-29');
  await chat.sees(/^│ {3}2024-02-29 *│$/m);
  chat.press('tab');
  await chat.sees('❯ A branch for it');
  chat.press('ctrl+u');
  await chat.sees('(type your answer)');
  chat.type('Bad branch');
  await chat.sees(/^│ {3}Bad branch *│$/m);
  chat.press('tab');
  await chat.sees('❯ A color');
  chat.type('2');
  await chat.sees('(x) 2. Green');
  chat.press('tab');
  await chat.sees('❯ Your shell');
  chat.type('zs');
  await chat.sees('❯ ( ) zsh');
  chat.press('enter');
  await chat.sees('Your shell: zsh');
  await chat.sees('❯ What you use');
  chat.type(' ');
  await chat.sees('[x] 1. tmux');
  chat.press('down');
  await chat.sees('❯ [ ] 2. vim');
  chat.type(' ');
  await chat.sees('[x] 2. vim');
  chat.press('tab');
  await chat.sees('❯ How often a day');
  chat.type('7');
  await chat.sees(/^│ {3}7 *│$/m);
  chat.press('tab');
  await chat.sees('❯ How wide, in meters');
  chat.type('1.5');
  await chat.sees(/^│ {3}1\.5 *│$/m);
  chat.press('tab');
  await chat.sees('❯ (x) 1. yes');
  chat.type('2');
  await chat.sees('(x) 2. no');
  chat.press('ctrl+s');
  await chat.sees('1 field needs attention');
  await chat.sees('❯ Your address');
  chat.press('ctrl+u');
  await chat.sees('(type your answer)');
  chat.type('ada@example.com');
  await chat.sees(/^│ {3}ada@example\.com *│$/m);
  chat.press('ctrl+s');
  await chat.sees('! Does not match the pattern');
  chat.press('ctrl+u');
  await chat.sees('(type your answer)');
  chat.type('ok');
  await chat.sees(/^│ {3}ok *│$/m);
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
  await focusRequest(chat, 'Enter or number select');
  await chat.sees('Host: agentclientprotocol.com');
  expect(readFileSync(opened, 'utf8')).toBe('');
  chat.type('1');
  await untilTurnsEnd(chat);
  await chat.sees('That is done.');
  await chat.until(() => readFileSync(opened, 'utf8').includes('elicitationId='), 'the browser to open it');
  const address = readFileSync(opened, 'utf8');
  expect(address).toMatch(/^https:\/\/agentclientprotocol\.com\/rfds\/elicitation\?from=demo&elicitationId=/);
  expect(chat.history().replaceAll(/\n */g, '')).toContain(address);
});

test('a form that arrives during typing waits, keeps its input, and is cancelled with the turn', async () => {
  const chat = await openPuppet();
  await chat.begin();
  chat.type('next');
  const requestedSchema = {type: 'object', properties: {name: {type: 'string', title: 'Name'}}};
  chat.report(
    {request: 'elicitation/create', params: {mode: 'form', message: 'Who?', requestedSchema}, name: 'form'},
    {end: 'end_turn'},
  );
  await chat.sees(WAITS);
  chat.type(' one');
  await chat.sees('next one');
  chat.press('tab');
  await chat.sees(LIT);
  chat.type('Ada');
  await chat.sees(/^│ {3}Ada *│$/m);
  chat.press('escape');
  await chat.sees('Name: Ada');
  await chat.sees(WAITS);
  chat.press('tab');
  await chat.sees(LIT);
  chat.press('ctrl+c');
  await chat.sees('form: {"action":"cancel"}');
  await untilTurnsEnd(chat);
  await chat.sees('next one');
});

test('text typed into a form is in the prompt when the agent dies, and after a crash', async () => {
  const home = temporaryFolder('home');
  const chat = await openPuppet({home, ownProcess: true});
  await chat.begin();
  const requestedSchema = {type: 'object', properties: {name: {type: 'string', title: 'Name'}}};
  const form = {mode: 'form', message: 'Who?', requestedSchema};
  chat.report({request: 'elicitation/create', params: form, name: 'form'});
  await focusRequest(chat, LIT);
  chat.type('Ada Lovelace');
  await chat.sees(/^│ {3}Ada Lovelace *│$/m);
  const agent = processesOf(home).find(({command}) => /^\S+ \S+\/fake-agent\.js/.test(command));
  process.kill(agent?.pid ?? 0, 'SIGKILL');
  await chat.noLongerSees(LIT);
  await chat.sees(promptWith('Ada Lovelace'));
  await chat.until(() => stored(chat).includes('Ada Lovelace'), 'the draft to be stored');
  chat.signal('SIGKILL');
  await chat.ended();
  const next = openChat({home, agent: 'demo'});
  await next.sees(promptWith('Ada Lovelace'));
});

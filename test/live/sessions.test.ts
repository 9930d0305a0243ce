import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openChat, READY, temporaryFolder} from '../support/driver/chat.ts';
import {AGENT_NAMES} from './lab/agents.ts';
import {LAB} from './lab/folder.ts';
import {ask, chatWith, IN_SANDBOX, isIdle, say} from './real-agent.ts';

const LOADING = AGENT_NAMES.filter((name) => name !== 'gemini');

describe.each(LOADING)('a session of %s', (name) => {
  test('is listed, resumes with its messages, once, and accepts a prompt', async () => {
    const first = await chatWith(name, '--approve', 'all');
    await ask(first, 'say hello', 'Hello from the mock model.');
    await ask(first, 'think', 'I thought about it.');
    first.press('ctrl+d');
    await first.ended(20);

    const {home, cwd} = first;
    const second = openChat({args: ['--continue'], home, cwd, rows: 40, env: {ACP_TUI_LAB: LAB}});
    await second.sees(READY, 60);
    expect(second.history().match(/▌ say hello/g)).toHaveLength(1);
    expect(second.history().match(/Hello from the mock model\./g)).toHaveLength(1);
    expect(second.history()).not.toMatch(/Only here|did not restore/);
    await ask(second, 'say hello', /(?:Hello from the mock model[^]*){2}/);
    second.type('/resume');
    await second.sees('❯ /resume');
    second.press('enter');
    await second.sees(/^Sessions of this folder|─ Sessions of this folder ─/, 60);
    await second.sees(/ (?:idle|done) +now /);
  });
});

test.each(['claude', 'codex', 'opencode', 'pi', 'kilo', 'copilot'] as const)(
  'a prompt with a file comes back exactly once when a session of %s resumes',
  async (name) => {
    const first = await chatWith(name, '--approve', 'all');
    first.type('say hello to @notes');
    await first.sees('notes.md');
    first.press('tab');
    await first.sees('[notes.md, ');
    await ask(first, ' please', 'Hello from the mock model.');
    first.press('ctrl+d');
    await first.ended(20);

    const {home, cwd} = first;
    const second = openChat({args: ['--continue'], home, cwd, rows: 40, env: {ACP_TUI_LAB: LAB}});
    await second.sees(READY, 60);
    expect(second.history().match(/say hello/g)).toHaveLength(1);
    expect(second.history().match(/\[notes\.md, /g)).toHaveLength(1);
    expect(second.history().match(/Hello from the mock model\./g)).toHaveLength(1);
    expect(second.history()).not.toMatch(/line two|<context/);
  },
);

test.each(['claude', 'codex', 'opencode', 'gemini', 'copilot', 'qwen', 'kilo', 'cline', 'pi'] as const)(
  'two sessions of %s share one process, unless that breaks one or they have sandboxes: both work at once, and one is closed separately',
  async (name) => {
    const record = join(temporaryFolder('record'), 'wire.ndjson');
    const chat = await chatWith(name, '--approve', 'all', '--record', record);
    say(chat, 'slow');
    await chat.sees('slow chunk 3', 60);
    chat.press('ctrl+x');
    await chat.sees('switch to the open session of that number');
    chat.type('n');
    await chat.sees('2/2 ', 60);
    await ask(chat, 'say hello', 'Hello from the mock model.');
    chat.type('/close\r');
    await chat.noLongerSees('2/2 ');
    await chat.hasSeen('slow chunk 40 of 40', 120);
    await isIdle(chat);
    await ask(chat, 'say hello', 'Hello from the mock model.');
    chat.press('ctrl+d');
    expect(await chat.ended(20)).toBe(0);
    const sent = (method: string) =>
      readFileSync(record, 'utf8').match(new RegExp(`"d":">"[^\n]*"method":"${method}"`, 'g'))?.length;
    const areApart = name === 'pi' || IN_SANDBOX;
    expect([sent('initialize'), sent('session/new')]).toEqual([areApart ? 2 : 1, 2]);
  },
);

test('what Claude writes about a cancelled turn is no prompt when its session resumes', async () => {
  const first = await chatWith('claude');
  say(first, 'slow');
  await first.sees('slow chunk 3', 60);
  first.press('escape');
  await first.hasSeen('Cancelled', 20);
  await isIdle(first);
  first.press('ctrl+d');
  await first.ended(20);
  const {home, cwd} = first;
  const second = openChat({args: ['--continue'], home, cwd, rows: 40, env: {ACP_TUI_LAB: LAB}});
  await second.sees(READY, 60);
  expect(second.history()).not.toContain('interrupted by user');
  expect(second.history().match(/▌ slow/g)).toHaveLength(1);
});

/** In this lab Gemini loads some of its sessions and reports others as missing. */
test('a session of gemini is shown, and resumes or leaves the choice', async () => {
  const first = await chatWith('gemini', '--approve', 'all');
  await ask(first, 'say hello', 'Hello from the mock model.');
  first.press('ctrl+d');
  await first.ended(20);
  const {home, cwd} = first;
  const second = openChat({args: ['--continue'], home, cwd, rows: 40, env: {ACP_TUI_LAB: LAB}});
  await second.sees(/Ask anything|The agent can't resume this session/, 60);
  expect(second.history().match(/▌ say hello/g)).toHaveLength(1);
  expect(second.history().match(/Hello from the mock model\./g)).toHaveLength(1);
});

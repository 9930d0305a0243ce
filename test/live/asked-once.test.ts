import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openChat, READY} from '../support/driver/chat.ts';
import {ASKS} from '../support/driver/request-texts.ts';
import {LAB} from './lab/folder.ts';
import {answer, ask, chatWith, isIdle, NOTES, say} from './real-agent.ts';

/** Ask by themselves, and then write and run through the client; `zed-codex` runs what it does itself. */
const ASKING = ['kimi', 'grok', 'zed-claude', 'zed-codex'] as const;

const FOR_SESSION =
  /^(?:Yes, allow all edits|Yes, and don't ask again|Always|(?:Allow|Approve) for this session)/;

describe.each(ASKING)('%s', (name) => {
  test('answers, and its session resumes with the messages', async () => {
    const first = await chatWith(name);
    await ask(first, 'say hello', 'Hello from the mock model.');
    first.press('ctrl+d');
    await first.ended(20);
    const {home, cwd} = first;
    const second = openChat({args: ['--continue'], home, cwd, rows: 40, env: {ACP_TUI_LAB: LAB}});
    await second.sees(READY, 60);
    expect(second.history().match(/Hello from the mock model\./g)).toHaveLength(1);
    await ask(second, 'say hello', /(?:Hello from the mock model[^]*){2}/);
  });
});

describe.each(['kimi', 'grok', 'zed-claude'] as const)('what is allowed for the session of %s', (name) => {
  test('covers the edit, and the next one, which are asked about once', async () => {
    const chat = await chatWith(name);
    const notes = join(chat.cwd, 'notes.md');
    say(chat, `edit file ${notes}`);
    await chat.sees(ASKS, 60);
    await chat.sees('why am I asked', 60);
    if (name === 'kimi' && chat.screen().includes('│ Write notes.md')) {
      // At times it writes without asking, so that acp-tui asks, for this write only.
      await answer(chat, /^Allow once/);
      await chat.hasSeen('The file is edited.', 60);
      await chat.until(() => readFileSync(notes, 'utf8').includes('line 2 (edited)'), 'the edit', 60);
      return;
    }
    await answer(chat, FOR_SESSION);
    await chat.until(() => readFileSync(notes, 'utf8').includes('line 2 (edited)'), 'the edit', 60);
    await isIdle(chat);
    writeFileSync(notes, NOTES);
    say(chat, `edit file ${notes}`);
    await chat.until(() => readFileSync(notes, 'utf8').includes('line 2 (edited)'), 'the second edit', 60);
    await isIdle(chat);
    expect(chat.history()).not.toContain('not what you approved');
  });

  test('covers the command, and the same again, which are asked about once', async () => {
    const chat = await chatWith(name);
    say(chat, 'run command');
    await chat.sees(ASKS, 60);
    if (name === 'grok') {
      // It runs a harmless command without asking, so that acp-tui asks about it.
      await chat.sees(/\+ 13 variables/);
      await answer(chat, /^Allow/);
      await chat.hasSeen('The command ran.', 60);
      return;
    }
    await chat.sees('$ echo hi && ls');
    await answer(chat, FOR_SESSION);
    await chat.hasSeen('The command ran.', 60);
    await isIdle(chat);
    await ask(chat, 'run command', /(?:The command ran\.[^]*){2}/);
  });
});

test('what Grok asks about by itself is asked about once, in all its variables and its shell', async () => {
  const chat = await chatWith('grok');
  say(chat, 'failing command');
  await chat.sees(ASKS, 60);
  await chat.sees('$ echo out; echo err >&2; exit 3');
  await answer(chat, FOR_SESSION);
  await chat.hasSeen('It failed as expected.', 60);
  await isIdle(chat);
  await ask(chat, 'failing command', /(?:It failed as expected\.[^]*){2}/);
  expect(chat.history()).toContain('allowed by your answer');
});

test('the request of zed-codex shows its command, and names details in one line; for the session, it is asked about once', async () => {
  const chat = await chatWith('zed-codex');
  say(chat, 'run outside');
  await chat.sees(ASKS, 60);
  await chat.sees(/\+ call_id, turn_id, /);
  expect(chat.screen()).not.toContain('"approved_execpolicy_amendment"');
  await answer(chat, FOR_SESSION);
  await chat.hasSeen('The command ran.', 60);
  await isIdle(chat);
  await ask(chat, 'run outside', /(?:The command ran\.[^]*){2}/);
  expect(chat.history()).not.toContain('Available Decisions');
});

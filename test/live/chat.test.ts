import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Chat} from '../support/driver/chat.ts';
import {AGENT_NAMES, type AgentName} from './lab/agents.ts';
import {answer, ask, chatWith, isIdle, NOTES, processesOf, say} from './real-agent.ts';

/** Codex asks before it writes in this mode; the others always ask. */
const asking = (name: AgentName) => (name === 'codex' ? ['--mode', 'read-only'] : []);

/** Where commands run without a request. */
const running = (name: AgentName) => (name === 'codex' ? [] : ['--approve', 'all']);

async function leave(chat: Chat): Promise<void> {
  // The agent, its runtime and its model, besides acp-tui.
  expect(processesOf(chat.home).length).toBeGreaterThan(3);
  chat.press('ctrl+d');
  expect(await chat.ended(20)).toBe(0);
  expect(processesOf(chat.home)).toEqual([]);
}

describe.each(AGENT_NAMES)('a chat with %s', (name) => {
  test('answers turn after turn, and stops with everything it started', async () => {
    const chat = await chatWith(name, '--approve', 'all');
    await ask(chat, 'say hello', 'Hello from the mock model.');
    await ask(chat, 'long markdown', 'The end of the long answer.');
    // On a busy machine its end is on the screen before all above it is printed.
    await chat.until(() => chat.history().match(/Section \d/g)?.length === 6, 'all sections');
    await ask(chat, `read file ${chat.cwd}/notes.md`, 'I have read it.');
    say(chat, 'make a plan');
    // Gemini asks with nothing but a title, which no level answers, and for each plan.
    if (name === 'gemini') await answer(chat, /^Allow for this session/);
    await chat.hasSeen('The plan is made.', 60);
    await isIdle(chat);
    await ask(chat, 'think', 'I thought about it.');
    expect(chat.history()).toMatch(/Thought.*Let me think about this/);
    await ask(chat, 'say hello', /(?:Hello from the mock model[^]*){2}/);
    await leave(chat);
  });

  test('shows what it wants to write, and writes when allowed', async () => {
    const chat = await chatWith(name, ...asking(name));
    say(chat, 'write file');
    await chat.sees('line three', 60);
    await answer(chat, /^(Allow|Yes)(?!.*always)/);
    await chat.hasSeen('The file is written.', 60);
    expect(readFileSync(path.join(chat.cwd, 'lab-notes.md'), 'utf8')).toBe(NOTES);
  });

  test('does not write when rejected, and continues', async () => {
    const chat = await chatWith(name, ...asking(name));
    say(chat, 'write file');
    await answer(chat, /^(Reject|No)/);
    await isIdle(chat);
    expect(existsSync(path.join(chat.cwd, 'lab-notes.md'))).toBe(false);
    await ask(chat, 'say hello', 'Hello from the mock model.');
  });

  test('shows the changed line of an edit', async () => {
    const chat = await chatWith(name, '--approve', 'all');
    await ask(chat, `edit file ${chat.cwd}/notes.md`, 'The file is edited.');
    expect(readFileSync(path.join(chat.cwd, 'notes.md'), 'utf8')).toBe(
      NOTES.replace('line two', 'line 2 (edited)'),
    );
    expect(chat.history()).toMatch(/- line two\n.*\+ line 2 \(edited\)\n/);
  });

  test('runs commands, and passes on none of their escape sequences', async () => {
    const chat = await chatWith(name, ...running(name));
    await ask(chat, 'color command', 'Colors were printed.');
    expect(chat.title).not.toBe('title');
    await ask(chat, 'failing command', 'It failed as expected.');
    await ask(chat, 'big output', 'That was a lot of output.');
    expect(chat.history().split('\n').length).toBeLessThan(100);
    await ask(chat, `two tools read file ${chat.cwd}/notes.md`, 'Both are done.');
  });

  test('is cancelled during a slow command, and accepts the next prompt', async () => {
    const chat = await chatWith(name, ...running(name));
    say(chat, 'slow command');
    await chat.sees(/Run .*tick/, 60);
    chat.press('escape');
    await chat.hasSeen('Cancelled', 10);
    await isIdle(chat);
    await ask(chat, 'say hello', 'Hello from the mock model.');
    expect(chat.exit).toBeUndefined();
    await leave(chat);
  });

  test('reports an error of the model, and continues', async () => {
    const chat = await chatWith(name);
    await ask(chat, 'model error', /mock:\s+scripted\s+error\s+400/);
    await ask(chat, 'say hello', 'Hello from the mock model.');
    expect(chat.exit).toBeUndefined();
  });

  test('can be cancelled while the model is rate-limited', async () => {
    const chat = await chatWith(name);
    say(chat, 'rate limit');
    await chat.sees(/Working|429/, 20);
    chat.press('ctrl+c');
    await isIdle(chat);
    await ask(chat, 'say hello', 'Hello from the mock model.');
    expect(chat.exit).toBeUndefined();
  });
});

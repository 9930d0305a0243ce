import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {
  fakeAgent,
  openChat,
  openReady,
  untilTurnsEnd,
  type Chat,
  newHome,
} from '../../../support/driver/chat.ts';
import {askToRun, openPuppet, type PuppetChat} from '../../../support/driver/puppet.ts';

/** As text, line by line: nothing was moved, colored or redrawn, and there is no frame. */
function expectWords(chat: Chat): void {
  expect(chat.raw).not.toContain('\x1b');
  expect(chat.raw).not.toMatch(/[─│╭╮╰╯▌❯●◐○✓✗⠋]/);
}

/** How often something was spoken. */
function count(chat: Chat, text: string): number {
  return chat.history().split(text).length - 1;
}

const args = ['--screen-reader'];

test('a conversation is spoken: who writes, what a tool call does, and how it ended', async () => {
  const chat = await openPuppet({args});
  chat.type('go\r');
  await chat.hasSeen('You: go');
  chat.report(
    {say: 'An **answer** of the agent.\n\nA second paragraph.\n\n'},
    {
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'r',
        title: 'Read src/a.ts',
        kind: 'read',
        status: 'completed',
      },
    },
    {
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'f',
        title: 'Fetch it',
        kind: 'fetch',
        status: 'failed',
      },
    },
    {end: 'end_turn'},
  );
  await untilTurnsEnd(chat);
  await expect
    .poll(() => chat.history())
    .toMatch(/Fake agent:\nAn answer of the agent\.\n\nA second paragraph\./);
  expect(count(chat, 'Fake agent:')).toBe(1);
  await expect.poll(() => chat.history()).toContain('Tool, done: Read src/a.ts');
  await expect.poll(() => chat.history()).toContain('Tool, failed: Fetch it');
  chat.type('/copy\r');
  await chat.hasSeen('Not copied: no clipboard program works here.');
  chat.type('go on\r');
  chat.report({say: 'long '.repeat(20_000)}, {end: 'end_turn'});
  await untilTurnsEnd(chat, 2);
  chat.type('/copy\r');
  await expect.poll(() => count(chat, 'Not copied')).toBe(2);
  expect(chat.history()).not.toContain('too long for the terminal');
  expectWords(chat);
});

test('a request is a numbered list with the question at its end, and each answer works', async () => {
  const chat = await openPuppet({args});
  await startTurn(chat);
  chat.report(askToRun('make'), askToRun('make clean', 'second'), {end: 'end_turn'});
  await chat.hasSeen(/Question: Allow this command\? · Fake agent.*: \$ make/);
  await expect
    .poll(() => chat.history())
    .toMatch(
      /1  y  Allow once.*\n.*2  a  Allow always.*\n.*3  p  Always allow, as a rule: execute make\n.*4  n  Reject.*\n.*5  d  Reject always/,
    );
  await answer(chat, '1');
  await chat.hasSeen(/Question: .*: \$ make clean/);
  await answer(chat, 'n');
  await chat.hasSeen(/request: yes[^]*second: no/);
  expectWords(chat);
});

/** Answers a request once its keys count, which is spoken after its question. */
async function answer(chat: Chat, key: string): Promise<void> {
  const lit = 'why am I asked';
  await chat.until(
    () => chat.history().lastIndexOf(lit) > chat.history().lastIndexOf('Question:'),
    `for ${lit}`,
  );
  chat.type(key);
}

async function startTurn(chat: PuppetChat): Promise<void> {
  chat.type('go\r');
  await chat.hasSeen('You: go');
  await chat.hasPrompt();
}

test('a form is filled in field by field', async () => {
  const chat = await openReady({agent: 'demo', args});
  chat.type('/form\r');
  await chat.hasSeen("Question: Answer the agent's questions?");
  await chat.hasSeen('Ctrl+S submit');
  chat.press('tab');
  await chat.hasSeen('Selected: Your name');
  chat.type('Ada');
  await chat.hasSeen('Ada');
  chat.press('escape');
  chat.press('escape');
  await chat.hasSeen('Needs you');
  expectWords(chat);
});

test('what the status line warns of is spoken once: the level, which session this is, and another one that needs you', async () => {
  const chat = await openPuppet({args: [...args, '--approve', 'edits']});
  await chat.hasSeen('auto-approve edits');
  await startTurn(chat);
  chat.press('ctrl+x');
  chat.type('n');
  await chat.hasSeen('Session 2 of 2');
  chat.report(askToRun('make'), {end: 'end_turn'});
  await chat.hasSeen('Session 1 needs you (Ctrl+X 1)');
  chat.press('ctrl+x');
  chat.type('1');
  await chat.hasSeen(/Question: Allow this command[^]*Session 1 of 2/);
  expect(count(chat, 'needs you')).toBe(1);
  expectWords(chat);
});

test('prompts are queued while the agent works, a turn is cancelled, and a shell command runs', async () => {
  const chat = await openPuppet({args});
  await startTurn(chat);
  chat.type('another one\r');
  await chat.hasSeen(/^another one$/m);
  chat.press('escape');
  await chat.hasSeen('Queue paused');
  chat.report({end: 'cancelled'});
  await chat.hasSeen('Cancelled: ');
  chat.type('!echo from-the-shell\r');
  await chat.hasSeen(/Done: ! echo from-the-shell/);
  expectWords(chat);
});

test('files are completed, settings are found and changed', async () => {
  const home = newHome();
  const cwd = path.join(home, 'project');
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, 'notes.md'), '# Notes\n');
  const chat = await openReady({agent: fakeAgent('echo'), args, home, cwd});
  chat.type('@not');
  await chat.hasSeen('Selected: notes.md');
  chat.press('tab');
  await chat.hasSeen('> [notes.md');
  chat.press('ctrl+c');
  chat.type('/settings reducedMotion\r');
  await chat.hasSeen('Selected: accessibility.reducedMotion');
  chat.press('enter');
  await chat.hasSeen('Selected: false');
  chat.press('up', 'enter');
  await chat.hasSeen('accessibility.reducedMotion is saved in your settings.');
  expectWords(chat);
});

test('the setting does the same, and a session is resumed with its transcript', async () => {
  const home = newHome({screenReader: true});
  const first = await openReady({agent: fakeAgent('echo'), home});
  first.type('remember this\r');
  await untilTurnsEnd(first);
  first.press('ctrl+d');
  await first.ended();
  expectWords(first);
  const second = openChat({agent: fakeAgent('echo'), home, args: ['--continue']});
  await second.hasSeen('You: remember this');
  await second.hasSeen('Selected: New session with the transcript');
  expectWords(second);
});

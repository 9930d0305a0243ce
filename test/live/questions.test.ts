import {expect, test} from 'vitest';
import type {Chat} from '../support/driver/chat.ts';
import {chatWith, printOnce, say} from './real-agent.ts';

/** Selects the second option of the question on the screen: of a single question, that answers it. */
async function chooseSecond(chat: Chat): Promise<void> {
  await chat.sees('Ctrl+S submit');
  chat.press('escape');
  await chat.sees('Tab answer');
  chat.press('tab');
  await chat.sees('Ctrl+S submit');
  chat.type('2');
}

test('Codex asks with a form in its plan mode, which is filled in and sent', async () => {
  const chat = await chatWith('codex', '--set', 'collaboration_mode=plan');
  say(chat, 'ask me');
  await chat.sees(/Answer the agent's questions?\? .* Codex/, 60);
  await chooseSecond(chat);
  await chat.hasSeen('Thank you for the answer.', 60);
  expect(chat.history()).toContain('you answered.');
});

test('a question that Qwen Code sends as a permission request is a form, and it reads the answer', async () => {
  const chat = await chatWith('qwen');
  say(chat, 'ask me');
  await chat.sees(/Answer the agent's questions?\? .* Qwen Code/, 60);
  await chooseSecond(chat);
  // Beside the question there is a field for an answer of one's own.
  await chat.sees('(x) 2.');
  chat.press('ctrl+s');
  await chat.hasSeen('Thank you for the answer.', 60);
  expect(chat.history()).toMatch(/Color\W+Red/);
  expect(chat.history()).toContain('**Color**: Red');
});

test('a question of Qwen Code is rejected in print mode, whatever the level', async () => {
  const {stderr, stdout} = await printOnce('qwen', '--approve', 'all', '--include', 'tools', 'ask me');
  expect(stderr + stdout).toContain('Rejected a question from the agent');
  expect(stderr + stdout).not.toContain('User has provided');
});

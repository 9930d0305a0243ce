import {expect, test} from 'vitest';
import {answer, ask, chatWith, oneShot, say} from './real-agent.ts';

test('what a command of Cline wrote stands in its card, though only rawOutput tells it', async () => {
  const chat = await chatWith('cline', '--approve', 'all');
  await ask(chat, 'run command', 'The command ran.');
  expect(chat.history()).toMatch(/run_commands: echo hi && ls[^]*hi\n/);
  const {stderr} = await oneShot('cline', '--approve', 'all', '--include', 'tools', 'run command');
  expect(stderr).toMatch(/\(completed\)\n {2}hi\n/);
});

test('of the two options of Cline about the model, provider and model, the model is shown and offered', async () => {
  const chat = await chatWith('cline');
  await chat.sees('cline · Act · gpt-4o · ');
  chat.type('/model\r');
  await chat.sees(/gpt-4o/);
  expect(chat.screen()).not.toContain('ClinePass');
});

test('a request of Codex shows the command that it is for, and so does the card', async () => {
  const chat = await chatWith('codex', '--mode', 'read-only');
  say(chat, 'run outside');
  await chat.sees('asks for permission', 60);
  await chat.sees('echo hi && ls');
  await answer(chat, /^Yes, proceed/);
  await chat.hasSeen('The command ran.', 60);
  expect(chat.history()).toMatch(/List files[^]*echo hi && ls[^]*The command ran/);
});

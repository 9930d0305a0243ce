import {expect, test} from 'vitest';
import {AGENT_NAMES} from './lab/agents.ts';
import {ask, chatWith, say} from './real-agent.ts';

/** The content of the status line, in order; a mode in which the agent asks less is marked. */
const MODES = {
  gemini: [/· Default [·─]/, /· ! Auto Edit [·─]/],
  opencode: [/· build [·─]/, /· plan [·─]/],
  codex: [/· ! Auto review [·─]/, /· Read-only [·─]/],
};
/** Each as in the status line; the menu shows some of them, too. */
const MODELS = {
  gemini: ['gemini-2.5-pro', /· gemini-2\.5-pro ·/],
  opencode: ['mock/mock-2', /Mock 2 ·/],
  codex: ['gpt-5.5', /· 5\.5 ·/],
} as const;
const COMMANDS = {gemini: 'memory', opencode: 'init', codex: 'review'} as const;

test.each(AGENT_NAMES)('Shift+Tab changes the mode of %s', async (name) => {
  const chat = await chatWith(name);
  const [first = /./, next = /./] = MODES[name];
  await chat.sees(first);
  chat.press('shift+tab');
  await chat.sees(next);
  await ask(chat, 'say hello', 'Hello from the mock model.');
  expect(chat.screen()).not.toMatch(first);
});

test.each(AGENT_NAMES)('/model changes the model of %s', async (name) => {
  const chat = await chatWith(name);
  const [id, shown] = MODELS[name];
  say(chat, `/model ${id}`);
  await chat.hasSeen(shown, 60);
  await ask(chat, 'say hello', 'Hello from the mock model.');
  expect(chat.screen()).toMatch(shown);
});

test.each(AGENT_NAMES)('the commands of %s are offered', async (name) => {
  const chat = await chatWith(name);
  await ask(chat, 'say hello', 'Hello from the mock model.');
  chat.type(`/${COMMANDS[name]}`);
  await chat.sees(new RegExp(`❯ /${COMMANDS[name]}`));
  expect(chat.screen()).not.toContain('/quit');
});

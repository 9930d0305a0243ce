import {expect, test} from 'vitest';
import {resolveAgent, isSameAgent} from '../../../src/agents/resolve.ts';

function agent(text: string, installed: readonly string[] = []) {
  const found = resolveAgent(text, {
    env: {},
    demoCommand: {command: 'node', args: ['demo.js']},
    find: (name) =>
      name === 'codex' ? {ok: true, value: {command: 'npx', args: installed, env: {}}} : undefined,
  });
  if (!found.ok) throw new Error(JSON.stringify(found.failure));
  return found.value;
}

test('two scripts of one name are different agents, also if only their arguments differ', () => {
  expect(isSameAgent(agent('node /a/agent.js'), agent('node /a/agent.js'))).toBe(true);
  expect(isSameAgent(agent('node /a/agent.js'), agent('node /b/agent.js'))).toBe(false);
  expect(isSameAgent(agent('node agent.ts codex'), agent('node agent.ts opencode'))).toBe(false);
});

test('an agent with a name is the same in each version', () => {
  expect(isSameAgent(agent('codex', ['codex@1']), agent('codex', ['codex@2']))).toBe(true);
  expect(isSameAgent(agent('demo'), agent('codex'))).toBe(false);
});

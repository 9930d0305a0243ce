import {readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {fakeAgent, openReady, temporaryFolder, say, newHome} from '../../../support/driver/chat.ts';

test('its first line is in the edge of the prompt, without control characters, and follows what changes', async () => {
  const facts = path.join(temporaryFolder('facts'), 'facts.json');
  const home = newHome({
    statusLine: {
      command: `cat > ${facts}; printf '\\033[31mturn %s\\033[0m\\007\\nsecond' "$(grep -o '"turn":"[a-z]*"' ${facts})"`,
    },
  });
  const chat = await openReady({agent: fakeAgent('modes'), home});
  await chat.sees('╰─ turn "turn":"idle"');
  await expect.poll(() => chat.screen()).not.toContain('second');
  const known = () => JSON.parse(readFileSync(facts, 'utf8') || '{}') as {mode?: string};
  await chat.until(() => known().mode === 'ask', 'the session');
  expect(known()).toMatchObject({
    agent: {name: 'Fake agent'},
    mode: 'ask',
    workspace: {project_dir: chat.cwd},
    cwd: chat.cwd,
    approve: 'none',
    sandbox: false,
  });
  chat.type('/mode code\r');
  await chat.until(() => known().mode === 'code', 'the new mode');
});

test('one that leaves something behind has printed what it has, and that ends with it', async () => {
  const command = 'sleep 777 & echo MY-LINE';
  const chat = await openReady({agent: fakeAgent('echo'), home: newHome({statusLine: {command}})});
  await chat.sees('MY-LINE');
  expect(chat.history()).not.toContain('The status command failed');
});

test.each([
  ['fails', 'echo no >&2; exit 3', 'The status command failed: It exited with code 3'],
  ['is missing', 'no-such-program-at-all', 'The status command failed'],
  ['hangs', 'sleep 777', 'It did not end within 5 s'],
  ['floods', 'yes flood', 'The status command failed'],
])('one that %s is reported once, and the usual parts are shown', async (_, statusCommand, problem) => {
  const chat = await openReady({agent: fakeAgent('echo'), home: newHome({statusCommand})});
  await chat.sees(problem);
  await chat.sees('╰─ Fake agent');
  await say(chat, 'hello');
  await chat.hasSeen('▌ hello');
  await expect.poll(() => chat.history().split('The status command failed')).toHaveLength(2);
});

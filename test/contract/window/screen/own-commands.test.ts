import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
  fakeAgent,
  openReady,
  promptWith,
  temporaryFolder,
  untilTurnsEnd,
  newHome,
} from '../../../support/driver/chat.ts';

test.each([40, 120])('menu, arguments, expansion and status line fit %d columns', async (columns) => {
  const home = newHome({statusLine: ['agent', 'folder']});
  const config = join(home, '.config/acp-tui');
  mkdirSync(join(config, 'commands'), {recursive: true});
  const about = 'Write the tests that are missing for what has changed in a folder, and run them all';
  writeFileSync(
    join(config, 'commands/tests.md'),
    `---\ndescription: ${about}\nargument-hint: <unit|all> [folder]\n---\nTest $2 ($1) well, and then say in a few words what you have found in it.`,
  );
  const cwd = join(temporaryFolder('work'), 'project');
  mkdirSync(join(cwd, 'packages/core'), {recursive: true});
  writeFileSync(join(cwd, 'packages/core/index.ts'), '');
  const chat = await openReady({agent: fakeAgent('echo'), home, cwd, columns});
  await chat.sees(/^╰─ Fake agent ─+ project ─╯$/m);
  chat.type('/tes');
  await chat.sees(/❯ \/tests <unit\|all>/);
  chat.press('tab');
  await chat.sees(/─ Arguments ─+ 1 of 2 ─/);
  await chat.sees(/❯ unit \[folder\]\s+all \[folder\]/);
  chat.press('down');
  chat.press('enter');
  await chat.sees(promptWith('/tests all'));
  await chat.sees(/❯ \(leave out\)\s+packages\//);
  chat.type('pack');
  await chat.sees(/❯ packages\/\s+packages\/core\//);
  chat.press('tab');
  await chat.sees(/❯ packages\/ +the folder itself/);
  await chat.sees(promptWith('/tests all packages/'));
  chat.press('tab');
  await chat.sees('Test packages/ (all) well');
  chat.press('enter');
  await untilTurnsEnd(chat);
  for (const line of chat.history().split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  await chat.hasSeen('▌ Test packages/ (all) well');
});

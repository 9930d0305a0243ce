import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fakeAgent, openReady, promptWith, temporaryFolder, untilTurnsEnd} from '../../support/driver/chat.ts';

test.each([40, 120])('menu, expansion and status line fit %d columns', async (columns) => {
  const home = temporaryFolder('home');
  const config = join(home, '.config/acp-tui');
  mkdirSync(join(config, 'commands'), {recursive: true});
  const about = 'Write the tests that are missing for what has changed in a folder, and run them all';
  writeFileSync(
    join(config, 'commands/tests.md'),
    `---\ndescription: ${about}\nargument-hint: <folder>\n---\nTest $1 well, and then say in a few words what you have found in it.`,
  );
  const settings = {statusLine: ['agent', 'folder']};
  writeFileSync(join(config, 'config.json'), JSON.stringify(settings));
  const chat = await openReady({agent: fakeAgent('echo'), home, columns});
  await chat.sees(/^╰─ Fake agent ─+ project ─╯$/m);
  chat.type('/tes');
  await chat.sees(/❯ \/tests <folder> +Write the tests/);
  expect(chat.screen()).toContain(columns === 40 ? 'Write' : '(yours)');
  chat.press('tab');
  await chat.sees(promptWith('/tests <folder>'));
  chat.type('src');
  await chat.sees(promptWith('/tests src'));
  chat.press('tab');
  await chat.sees('Test src well');
  chat.press('enter');
  await untilTurnsEnd(chat);
  for (const line of chat.history().split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  await chat.hasSeen('▌ Test src well');
});

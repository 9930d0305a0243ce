import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {
  fakeAgent,
  newHome,
  openChat,
  openReady,
  promptWith,
  untilTurnsEnd,
  say,
} from '../../../support/driver/chat.ts';

/** A home with these files. */
function homeWith(files: Readonly<Record<string, string>>): string {
  const home = newHome();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, name)), {recursive: true});
    writeFileSync(path.join(home, name), text);
  }
  return home;
}

const LIT = 'why am I asked';
const OWN = '.config/acp-tui/commands';

test('the menu says whose a command is; Tab shows its prompt, Enter sends it', async () => {
  const home = homeWith({
    [`${OWN}/tests.md`]: '---\ndescription: Test it\nargument-hint: <folder>\n---\nTest $1 well.',
    [`${OWN}/plan.md`]: 'Plan $ARGUMENTS well.',
  });
  const chat = await openReady({agent: fakeAgent('echo'), home});
  chat.type('/tes');
  await chat.sees(/❯ \/tests <folder> +Test it \(yours\)/);
  chat.press('tab');
  await chat.sees(promptWith('/tests <folder>'));
  chat.type('src');
  chat.press('tab');
  await chat.sees(promptWith('Test src well.'));
  chat.press('ctrl+u');
  // It has the name of one of acp-tui's.
  await say(chat, '//plan a trip');
  await chat.hasSeen('▌ Plan a trip well.');
  chat.type('/save-command again\r');
  await chat.sees('The last prompt is a command already.');
  chat.press('ctrl+u');
  await say(chat, 'hello there', 2);
  chat.type('/save-command again\r');
  await chat.sees('/again is saved in');
  expect(readFileSync(path.join(home, OWN, 'again.md'), 'utf8')).toBe('hello there\n');
  chat.type('/save-command review\r');
  await chat.sees('//review is saved in');
});

test('two slashes mean the command behind that of acp-tui on the command line and on the board, too', async () => {
  const home = homeWith({[`${OWN}/plan.md`]: 'Plan $ARGUMENTS well.'});
  const chat = openChat({agent: fakeAgent('echo'), home, args: ['//plan a trip']});
  await chat.hasSeen('▌ Plan a trip well.');
  await untilTurnsEnd(chat);
  chat.press('ctrl+x');
  chat.type('b');
  await chat.sees('New session:');
  chat.paste('//plan a feast');
  await chat.sees('//plan a feast');
  chat.press('enter');
  await chat.hasSeen('▌ Plan a feast well.');
});

test('Tab keeps a large paste in the prompt of a command', async () => {
  const home = homeWith({[`${OWN}/fix.md`]: 'Fix this: $ARGUMENTS, please.'});
  const chat = await openReady({agent: fakeAgent('echo'), home});
  chat.type('/fix ');
  chat.paste(`${'x'.repeat(2500)} end`);
  await chat.sees('[Pasted text #1, 2504 characters]');
  chat.press('tab');
  await chat.sees(promptWith('Fix this: [Pasted text #1, 2504 characters], please.'));
  chat.press('enter');
  await untilTurnsEnd(chat);
  await chat.hasSeen('xx end, please.');
});

test('a prompt that begins like a command is text behind Tab', async () => {
  const home = homeWith({[`${OWN}/typos.md`]: '!touch ran #\nFix typos in the docs.'});
  const chat = await openReady({agent: fakeAgent('echo'), home});
  chat.type('/typos docs');
  chat.press('tab');
  await chat.sees('!touch ran #');
  chat.press('enter');
  await untilTurnsEnd(chat);
  await chat.hasSeen('▌  !touch ran #');
  expect(existsSync(path.join(chat.cwd, 'ran'))).toBe(false);
});

test('a command in a prompt is asked about; a rejected one leaves the prompt in the queue', async () => {
  const home = homeWith({[`${OWN}/list.md`]: 'Files:\n!`echo one-$((1+1))`'});
  const chat = await openReady({agent: fakeAgent('echo'), home});
  chat.type('/list\r');
  await chat.sees('$ echo one-$((1+1))');
  await chat.sees(/Allow this command\? ─+ by \/list ─/);
  await chat.sees(LIT);
  chat.type('2');
  await chat.sees('The prompt was not sent.');
  await chat.sees('paused  /list');
  chat.press('enter');
  await chat.sees(LIT);
  chat.type('1');
  await untilTurnsEnd(chat);
  await chat.hasSeen(/▌ Files:\s+▌ one-2/);
});

test('Esc stops what a prompt runs, and keeps the prompt', async () => {
  const home = homeWith({[`${OWN}/slow.md`]: '!`sleep 300`'});
  const chat = await openReady({agent: fakeAgent('echo'), home, args: ['--approve', 'all']});
  chat.type('/slow\r');
  await chat.sees('Running the commands of the prompt…');
  await chat.sees('Esc cancel');
  chat.press('escape');
  await chat.sees('The prompt was not sent.');
  await chat.sees('paused  /slow');
  await chat.noLongerSees('Running the commands');
});

test('commands of other clients are asked about once', async () => {
  const home = homeWith({'.claude/commands/deploy.md': 'Deploy $ARGUMENTS.'});
  const first = await openReady({agent: fakeAgent('echo'), home});
  await first.sees('Use the commands of Claude Code?');
  await first.sees(LIT);
  first.type('1');
  await first.noLongerSees(LIT);
  first.type('/dep');
  await first.sees(/❯ \/deploy +Deploy \$ARGUMENTS\. \(Claude Code\)/);
  const config = readFileSync(path.join(home, '.config/acp-tui/config.json'), 'utf8');
  expect(JSON.parse(config)).toMatchObject({otherCommands: 'on'});
  const second = openChat({agent: fakeAgent('echo'), home, args: ['/deploy now']});
  await untilTurnsEnd(second);
  await second.hasSeen('▌ Deploy now.');
  expect(second.history()).not.toContain('acp-tui asks');
});

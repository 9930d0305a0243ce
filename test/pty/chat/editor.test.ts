import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
  fakeAgent,
  openChat,
  openReady,
  READY,
  temporaryFolder,
  untilTurnsEnd,
  promptWith,
} from '../../support/driver/chat.ts';

/** An editor that shows the draft and reads one more line, in the terminal as it finds it. */
function editor(): string {
  const file = join(temporaryFolder('editor'), 'ask');
  writeFileSync(
    file,
    `#!/bin/sh
echo "EDITING [$(cat "$2")] $1"
printf 'line? '
read -r line || exit 1
test "$line" = give-up && exit 1
echo "$line" >> "$2"
`,
  );
  chmodSync(file, 0o755);
  return `${file} -w`;
}

test('Ctrl+G edits the draft in the user’s editor, which gets the terminal', async () => {
  const chat = await openReady({agent: fakeAgent('echo'), kitty: true, env: {EDITOR: editor()}});
  await chat.until(() => chat.modes.kittyLevels === 1, 'for the kitty keyboard');
  chat.type('first line');
  await chat.sees('first line');
  chat.press('ctrl+g');
  await chat.sees('EDITING [first line] -w');
  await chat.sees('line?');
  expect(chat.modes).toMatchObject({
    kittyLevels: 0,
    bracketedPaste: false,
    focusReports: false,
    hiddenCursor: false,
  });
  chat.type('second line\r');
  await chat.sees(promptWith('first line\nsecond line'));
  await chat.until(
    () => chat.modes.kittyLevels === 1 && chat.modes.bracketedPaste,
    'for the terminal to be ours',
  );
  // The terminal's response must not be echoed.
  expect(chat.history()).not.toContain('^[');
  chat.press('enter');
  await untilTurnsEnd(chat);
  await chat.hasSeen('▌ first line\n▌ second line\n');
});

test('an editor that fails or is interrupted keeps the draft', async () => {
  const chat = await openReady({agent: fakeAgent('echo'), env: {EDITOR: editor()}});
  chat.type('my draft');
  await chat.sees('my draft');
  chat.press('ctrl+g');
  await chat.sees('line?');
  chat.type('give-up\r');
  await chat.sees('The editor failed (exit code 1). The draft is unchanged.');
  await chat.sees(promptWith('my draft'));
  chat.press('ctrl+g');
  await chat.until(() => chat.history().split('line?').length === 3, 'for the editor again');
  chat.press('ctrl+c');
  await chat.sees('The draft is unchanged.');
  await chat.sees(promptWith('my draft'));
  chat.press('ctrl+c');
  await chat.sees(READY);
});

test('quitting stops the editor and restores the terminal', async () => {
  const chat = await openReady({agent: fakeAgent('echo'), env: {VISUAL: editor()}});
  chat.press('ctrl+g');
  await chat.sees('line?');
  chat.signal('SIGTERM');
  expect(await chat.ended()).toBe(143);
});

test('settings with which no agent starts are opened at their line, and the window follows', async () => {
  const home = temporaryFolder('home');
  const config = join(home, '.config/acp-tui');
  mkdirSync(config, {recursive: true});
  writeFileSync(join(config, 'config.json'), '{\n  "sandbx": "on"\n}');
  const program = join(temporaryFolder('editor'), 'vi');
  writeFileSync(program, '#!/bin/sh\necho "EDITING $1"\necho "{}" > "$2"\n', {mode: 0o755});
  const chat = openChat({agent: fakeAgent('echo'), home, env: {EDITOR: program}});
  await chat.sees('[y/N]');
  expect(chat.history()).toContain('"sandbx" in');
  chat.type('y\r');
  await chat.hasSeen('EDITING +2');
  await chat.sees(READY);
  chat.type('hello\r');
  await untilTurnsEnd(chat);
  await chat.hasSeen('▌ hello');
});

import {test} from 'vitest';
import {fakeAgent, openReady, READY, untilTurnsEnd, promptWith} from '../../../support/driver/chat.ts';

test('Ctrl+X p finds a command by a few letters and runs it, keeping the draft', async () => {
  const chat = await openReady({agent: fakeAgent('config-options')});
  chat.type('half a thought');
  await chat.sees('half a thought');
  chat.press('ctrl+x');
  await chat.sees('all commands and actions by name');
  chat.type('p');
  await chat.sees('Commands and actions');
  chat.type('/mdl');
  await chat.sees('❯ /model');
  chat.press('enter');
  await chat.sees(/Fast\n +Small[^]*Best\n❯ Large \(now\)/);
  chat.type('sml');
  await chat.sees('❯ Small');
  chat.press('enter');
  await chat.sees('· Small ·');
  await chat.sees(promptWith('half a thought'));
});

test('Ctrl+R finds an earlier multi-line prompt, and Esc restores the draft', async () => {
  const chat = await openReady({agent: fakeAgent('echo')});
  chat.type('first\\\r');
  await chat.sees(promptWith('first'));
  chat.type('second line\r');
  await untilTurnsEnd(chat, 1);
  chat.type('other\r');
  await untilTurnsEnd(chat, 2);
  chat.type('mine');
  await chat.sees(promptWith('mine'));
  chat.press('ctrl+r');
  await chat.sees('❯ other');
  chat.type('second');
  await chat.sees('❯ first ␤ second line');
  chat.press('escape');
  await chat.noLongerSees('Earlier prompts');
  await chat.sees(promptWith('mine'));
  chat.press('ctrl+u');
  await chat.sees(READY);
  chat.press('ctrl+r');
  await chat.sees('❯ other');
  chat.type('first');
  await chat.sees('❯ first ␤ second line');
  chat.press('enter');
  await chat.noLongerSees('Earlier prompts');
  await chat.sees(promptWith('first\nsecond line'));
});

test('/mode completes the modes, and an unknown --mode lists the available ones', async () => {
  const chat = await openReady({agent: fakeAgent('modes'), args: ['--mode', 'nope']});
  await chat.hasSeen('Unknown mode "nope".');
  await chat.hasSeen('Available: ask, code, locked.');
  chat.type('/mode ');
  await chat.sees(/❯ \/mode ask +\(now\)/);
  chat.type('co');
  await chat.sees('❯ /mode code');
  chat.press('enter');
  await chat.sees(/Fake agent · (?:[^─]*· )?Code ─/);
});

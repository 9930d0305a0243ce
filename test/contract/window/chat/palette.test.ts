import {test} from 'vitest';
import {fakeAgent, openReady, promptWith} from '../../../support/driver/chat.ts';

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

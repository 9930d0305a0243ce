import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {fakeAgent, openChat, openReady, untilTurnsEnd} from '../../support/driver/chat.ts';

test('a prompt, a permission, a review and a resumed session in the built program', async () => {
  const agent = fakeAgent('fs');
  const first = await openReady({agent, snapshots: true});
  const {home, cwd} = first;
  const file = path.join(cwd, 'a.txt');
  first.type('write a.txt one\r');
  await first.sees('why am I asked');
  first.type('1');
  await untilTurnsEnd(first);
  expect(readFileSync(file, 'utf8')).toBe('one');
  await first.sees('Ctrl+X r review');
  first.type('\x18r');
  await first.sees('Review 1 file');
  first.type('x');
  await first.sees('Reverted a.txt.');
  expect(existsSync(file)).toBe(false);
  first.press('escape');
  await first.noLongerSees('Since your last review');
  first.press('ctrl+d');
  expect(await first.ended()).toBe(0);

  const second = openChat({agent, home, cwd, args: ['--continue']});
  await second.hasSeen('▌ write a.txt one');
  await second.hasSeen('Review: Reverted a.txt.');
});

import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openChat, newHome} from '../../support/driver/chat.ts';
import {serveHeldRegistry} from '../../support/driver/held-registry.ts';

test('an agent is installed only on yes, with the progress on one line', async () => {
  const home = newHome();
  const entry = {id: 'x', name: 'Agent X', version: '1.0.0', description: 'd'};
  const {address, archive, size, letGo} = await serveHeldRegistry(entry, '#!/bin/sh\n');
  const env = {ACP_TUI_REGISTRY_URL: address};
  const run = () => openChat({home, env, args: ['agents', 'install', 'x'], columns: 110, rows: 20});
  const program = join(home, '.local/share/acp-tui/agents/x/1.0.0/files/agent');

  const first = run();
  await first.sees('Install it? [y/N]');
  await first.sees(`from      ${archive} (${size} B)`);
  await first.sees('starts    ./agent --acp');
  first.press('enter');
  await first.sees('Nothing installed.');
  expect(await first.ended()).toBe(1);

  const second = run();
  await second.sees('Install it? [y/N]');
  second.type('y\r');
  await second.sees('x: downloading 64 B of');
  await letGo();
  await second.sees('Installed x 1.0.0. Start it with: acp-tui --agent x');
  expect(await second.ended()).toBe(0);
  await expect.poll(() => second.screen()).not.toContain('downloading');
  expect(existsSync(program)).toBe(true);
});

import {existsSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {tarGz} from '../contract/agents/install/archives.ts';
import {serve} from '../contract/download/servers.ts';
import {openChat, temporaryFolder} from './driver/chat.ts';

test('an agent is installed after a yes, with the progress on one line, and not after anything else', async () => {
  const home = temporaryFolder('home');
  const packed = tarGz([{path: 'agent', content: '#!/bin/sh\n'}]);
  const held = Promise.withResolvers<ServerResponse>();
  const address = await serve((request, response) => {
    if (request.url === '/agent.tar.gz') {
      response.writeHead(200, {'content-length': packed.length});
      if (request.method === 'HEAD') return void response.end();
      response.write(packed.subarray(0, 64));
      return held.resolve(response);
    }
    const target = {archive: `${address}/agent.tar.gz`, cmd: './agent', args: ['--acp']};
    const binary = {'linux-x86_64': target, 'linux-aarch64': target, 'darwin-aarch64': target};
    const entry = {id: 'x', name: 'Agent X', version: '1.0.0', description: 'd', distribution: {binary}};
    response.end(JSON.stringify({agents: [entry]}));
  });
  const env = {ACP_TUI_REGISTRY_URL: `${address}/registry.json`};
  const run = () => openChat({home, env, args: ['agents', 'install', 'x'], columns: 110, rows: 20});
  const program = join(home, '.local/share/acp-tui/agents/x/1.0.0/files/agent');

  const first = run();
  await first.sees('Install it? [y/N]');
  expect(first.screen()).toContain(`from      ${address}/agent.tar.gz (${packed.length} B)`);
  expect(first.screen()).toContain('starts    ./agent --acp');
  first.press('enter');
  await first.sees('Nothing was installed.');
  expect(await first.ended()).toBe(1);

  const second = run();
  await second.sees('Install it? [y/N]');
  second.type('y\r');
  await second.sees('x: downloading 64 B of');
  (await held.promise).end(packed.subarray(64));
  await second.sees('Installed x 1.0.0. Start it with: acp-tui --agent x');
  expect(await second.ended()).toBe(0);
  expect(second.screen()).not.toContain('downloading');
  expect(existsSync(program)).toBe(true);
});

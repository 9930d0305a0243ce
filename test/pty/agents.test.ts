import {writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import path from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {fakeAgent, openChat, READY, temporaryFolder, turnsEnd} from './driver/chat.ts';

const goose = {
  id: 'goose',
  name: 'Goose',
  version: '1.0.0',
  description: 'Lives in the registry',
  distribution: {npx: {package: 'goose'}},
};

/** A registry on the loopback address; resolves to its address. */
async function serveRegistry(): Promise<string> {
  const server = createServer((_, response) => void response.end(JSON.stringify({agents: [goose]})));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A folder for PATH in which a well-known agent is our scripted one. */
function programs(): string {
  const folder = temporaryFolder('bin');
  writeFileSync(path.join(folder, 'gemini'), `#!/bin/sh\nexec ${fakeAgent('echo')}\n`, {mode: 0o755});
  return folder;
}

test('the first start asks which agent, the next one begins with it, and /agents opens another beside it', async () => {
  const home = temporaryFolder('home');
  const env = {
    ACP_TUI_AGENT: '',
    ACP_TUI_REGISTRY_URL: await serveRegistry(),
    PATH: `${programs()}:/usr/bin:/bin`,
  };
  const first = openChat({home, env});
  await first.sees('Which agent do you want to talk to?');
  await first.sees(/❯ Gemini CLI +gemini · on PATH · gemini --acp/);
  expect(first.screen()).toMatch(/Demo +demo · built in/);
  await first.sees('ACP registry, not asked yet');
  first.type('look');
  await first.sees('❯ Look for more agents');
  first.press('enter');
  await first.sees('ACP registry, as it was just now; you are asked before anything is downloaded');
  first.press('ctrl+u');
  await first.sees(/Goose +goose · registry · 1\.0\.0 · Lives in the registry/);
  first.type('gemini');
  await first.sees('1 of 4');
  first.press('enter');
  await first.sees(READY);
  await first.sees('Fake agent');
  first.type('hello\r');
  await turnsEnd(first);
  first.type('/agents demo\r');
  await first.sees('❯ Demo');
  first.press('enter');
  await first.sees('Demo agent · Ask');
  first.press('ctrl+d');
  await first.ended();

  const second = openChat({home, env});
  await second.sees(READY);
  expect(second.screen()).toContain('Demo agent');
});

import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'vitest';
import {serve} from '../../../support/servers/servers.ts';
import {fakeAgent, newHome, openChat, READY, temporaryFolder, say} from '../../../support/driver/chat.ts';
import {serveHeldRegistry} from '../../../support/driver/held-registry.ts';

const goose = {
  id: 'goose',
  name: 'Goose',
  version: '1.0.0',
  description: 'Lives in the registry',
  distribution: {npx: {package: 'goose'}},
};

/** A folder for PATH in which a well-known agent is the scripted one. */
function programs(): string {
  const folder = temporaryFolder('bin');
  writeFileSync(path.join(folder, 'gemini'), `#!/bin/sh\nexec ${fakeAgent('echo')}\n`, {mode: 0o755});
  writeFileSync(path.join(folder, 'claude'), '#!/bin/sh\n', {mode: 0o755});
  return folder;
}

test('the first start asks which agent, the next one starts it, and /agents opens another beside it', async () => {
  const home = newHome();
  const env = {
    ACP_TUI_AGENT: '',
    ACP_TUI_REGISTRY_URL: await serve((_, response) => void response.end(JSON.stringify({agents: [goose]}))),
    PATH: programs(),
  };
  const first = openChat({home, env});
  await first.sees('Which agent?');
  await first.sees(/Ready\n❯ Demo +built in, offline[^\n]*\n +Gemini CLI +gemini --acp/);
  // The well-known ones, without a network.
  await first.sees(/\nInstall\n/);
  await first.sees(/Claude Code +claude is here; adds its adapter/);
  await first.sees(/Qwen Code/);
  await first.sees(/More +searches the ACP registry/);
  await first.sees('Enter start or install · type to filter · Esc demo');
  first.type('more');
  await first.sees('❯ More');
  first.press('enter');
  await first.sees(/Reload +downloads/);
  first.press('ctrl+u');
  await first.sees(/Goose +Lives in the registry/);
  first.type('gemini');
  await first.sees('1 of 9');
  first.press('enter');
  await first.sees(READY);
  await first.sees('Fake agent');
  await say(first, 'hello');
  first.type('/agents demo\r');
  await first.sees('❯ Demo');
  first.press('enter');
  await first.sees(/Demo agent · (?:[^─]*· )?Ask ─/);
  first.press('ctrl+d');
  await first.ended();

  const second = openChat({home, env});
  await second.sees(READY);
  await second.sees('Demo agent');
});

test('an agent of the registry is installed once confirmed, with its progress on the screen, and starts', async () => {
  const {address, archive, size, letGo} = await serveHeldRegistry(
    goose,
    `#!/bin/sh\nexec ${fakeAgent('echo')}\n`,
  );
  const chat = openChat({env: {ACP_TUI_AGENT: '', ACP_TUI_REGISTRY_URL: address}, columns: 120});
  await chat.sees('searches the ACP registry');
  chat.type('more');
  await chat.sees('❯ More');
  chat.press('enter');
  await chat.sees('❯ Reload');
  chat.press('ctrl+u');
  await chat.sees('Lives in the registry');
  chat.type('goose');
  await chat.sees('❯ Goose');
  chat.press('enter');
  await chat.sees('why am I asked');
  await chat.sees(`from      ${archive} (${size} B)`);
  chat.press('enter');
  await chat.sees('Installing Goose');
  await chat.sees('downloading 64 B of');
  await letGo();
  await chat.sees(READY);
  await say(chat, 'hello');
  await chat.sees('Fake agent');
});

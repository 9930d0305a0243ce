import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {expect, test} from 'vitest';
import {fakeAgent, openChat, READY, temporaryFolder} from '../../../support/driver/chat.ts';
import {hasNoSandbox} from '../../sandbox/sandboxes.ts';

test.skipIf(hasNoSandbox)(
  'where an unknown agent keeps its state is asked once, and saved in the settings',
  async () => {
    const home = temporaryFolder('home');
    const config = path.join(home, 'config');
    const file = path.join(config, 'config.json');
    mkdirSync(path.join(home, '.my-agent'));
    mkdirSync(config);
    writeFileSync(
      file,
      JSON.stringify({
        snapshots: {take: false},
        sandboxHidden: ['config/*.key'],
        agents: {'my-agent': {command: fakeAgent('echo')}},
      }),
    );
    const options = {
      home,
      agent: 'my-agent',
      args: ['--sandbox'],
      env: {HOME: home, ACP_TUI_CONFIG_DIR: config},
    };
    const chat = openChat(options);
    await chat.sees('Where does the agent my-agent keep its settings and sessions?');
    await chat.sees('The answer is saved as agents.my-agent.sandbox.folders');
    await chat.sees(/1 +Let it write ~\/\.my-agent/);
    await chat.sees('why am I asked');
    chat.type('1');
    await chat.sees(READY);
    chat.press('ctrl+d');
    await chat.ended();
    const saved = JSON.parse(readFileSync(file, 'utf8')) as {agents: Record<string, unknown>};
    expect(saved.agents['my-agent']).toMatchObject({sandbox: {folders: ['~/.my-agent']}});

    const again = openChat(options);
    await again.sees(READY);
    await expect.poll(() => again.screen()).not.toContain('Where does');
    again.type('/sandbox\r');
    await again.sees(path.join(home, '.my-agent'));
    await again.sees('config/*.key');
    await again.sees('Refused connections: none');
    again.press('escape');
    await again.until(() => !again.screen().includes('Refused connections'), 'for the page to be closed');
    again.type(`/sandbox ${home}\r`);
    await again.hasSeen('after /restart, in this session');
    again.type('/sandbox Registry.Example\r');
    await again.sees('Rule: allow network registry.example.');
  },
);

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import type {ConversationOptions} from '../../../src/conversation/options.ts';
import {createMcpConfig} from '../../../src/conversation/trust/mcp-servers.ts';
import {readServers} from '../../../src/settings/server-config.ts';
import {filesOfAgent, placesOfAgent} from '../../../src/sandbox/agent/agent-places.ts';
import {createSecrets} from '../../../src/shared/mask.ts';
import {FAKE_AGENT} from '../../support/fake-agent.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {makeConversation} from '../conversation/open-conversation.ts';
import {aHome, hasNoSandbox} from './sandboxes.ts';

const settings = {network: 'ask', networkHosts: [], sandboxSockets: 'none', sandboxFolders: []} as const;

/** A folder in one of those that every sandbox covers, wherever TMPDIR is. */
function covered(temporary = '/tmp'): string {
  const folder = mkdtempSync(join(temporary, 'acp-tui-test-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

function program(file: string, text: string): string {
  mkdirSync(join(file, '..'), {recursive: true});
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

describe('what an agent is started from', () => {
  test('is its program, the arguments that are files, their interpreters, and what links lead to', () => {
    const folder = temporaryFolder();
    const at = (name: string) => join(folder, name);
    const interpreter = program(at('bin/python'), '');
    const agent = program(at('lib/agent.py'), `#!${interpreter} -u\n`);
    const script = program(at('script'), '#!/usr/bin/env -S python -u\n');
    symlinkSync(agent, at('bin/agent'));
    const started = {command: 'agent', args: [script, '--log', at('missing'), 'lib/agent.py']};
    expect(filesOfAgent(started, at('bin')).toSorted()).toEqual(
      [at('bin/agent'), agent, interpreter, script].toSorted(),
    );
    expect(filesOfAgent({command: 'agent', args: []}, '/nowhere')).toEqual([]);
  });

  test('is, of what is covered, a whole folder below the temporary one, and the folder of an installed agent', () => {
    const [one, other, installed] = [covered(), covered('/var/tmp'), temporaryFolder()];
    const agent = program(join(one, 'venv/bin/agent'), '#!/bin/sh\n');
    const file = join(installed, 'mine/1.0.0/bin/agent');
    program(file, '');
    mkdirSync(join(other, 'bin'));
    const places = (command: string, path = '') => placesOfAgent({command, args: []}, {path, installed});
    expect(places(agent)).toEqual([one]);
    expect(places('agent', `/usr/bin:${join(other, 'bin')}:/tmp`)).toEqual([other]);
    expect(places(file)).toContain(join(installed, 'mine/1.0.0'));
    expect(places('/bin/sh')).toEqual([]);
    symlinkSync('/etc', `${one}-link`);
    onTestFinished(() => rmSync(`${one}-link`));
    expect(places(`${one}-link/passwd`)).toEqual([]);
  });
});

describe.skipIf(hasNoSandbox)('an agent in a sandbox', () => {
  async function opened(
    command: string,
    args: readonly string[] = [],
    options: Partial<ConversationOptions> = {},
  ) {
    const {home, root} = aHome();
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const agent = {label: 'mine', command, args, env: {}};
    const {conversation} = makeConversation([], {
      cwd: root,
      agent,
      sandbox: settings,
      ...options,
    });
    return conversation.open();
  }
  const exec = (file: string) => `exec '${process.execPath}' '${file}' echo\n`;

  test.each(['/tmp', '/var/tmp'])(
    'is started if its program is below %s, with what lies beside it',
    async (folder) => {
      const place = covered(folder);
      cpSync(FAKE_AGENT, join(place, 'lib/agent.mjs'));
      const agent = program(join(place, 'bin/agent'), `#!/bin/sh\n${exec(join(place, 'lib/agent.mjs'))}`);
      await expect(opened(agent)).resolves.toEqual({ok: true, value: undefined});
      await expect(opened('/bin/sh', [agent])).resolves.toEqual({ok: true, value: undefined});
      expect(existsSync(agent)).toBe(true);
    },
  );

  test('gets MCP servers whose programs are below /tmp, with what lies beside them', async () => {
    const place = covered();
    const server = program(join(place, 'bin/server'), '#!/bin/sh\n');
    const servers = readServers({mine: {command: server}}, {kind: 'user', file: '/config.json'}).servers;
    const mcp = createMcpConfig({
      state: temporaryFolder(),
      ofUser: servers,
      ofAgent: () => [],
      overAcp: () => undefined,
      ofOptions: [],
      secrets: createSecrets(),
      env: process.env,
    });
    const agent = ['-c', `[ -x '${server}' ] && ${exec(FAKE_AGENT)}`];
    await expect(opened('/bin/sh', agent, {mcp})).resolves.toEqual({ok: true, value: undefined});
    await expect(opened('/bin/sh', agent)).resolves.toMatchObject({failure: {kind: 'exited_early'}});
  });

  test('is started if it was installed by acp-tui, whose own folders are hidden', async () => {
    const data = temporaryFolder();
    vi.stubEnv('ACP_TUI_DATA_DIR', data);
    const agent = program(
      join(data, 'agents/mine/1.0.0/agent'),
      `#!/bin/sh\n[ -e '${data}/other' ] || ${exec(FAKE_AGENT)}`,
    );
    writeFileSync(join(data, 'other'), '');
    await expect(opened(agent)).resolves.toEqual({ok: true, value: undefined});
  });
});

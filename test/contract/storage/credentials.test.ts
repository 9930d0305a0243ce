import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {execa} from 'execa';
import {describe, expect, test} from 'vitest';
import {openCredentials, type Credentials} from '../../../src/storage/credentials/credentials.ts';
import {agentKey} from '../../../src/storage/credentials/kept-sign-ins.ts';
import type {Keyring} from '../../../src/storage/credentials/keyring.ts';
import {silentBus} from '../../support/servers/silent-bus.ts';
import {memoryKeyring} from './memory-keyring.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

const agent = {label: 'mine', command: 'node', args: ['agent.js'], env: {}};
const other = {...agent, args: ['other.js']};
const key = {method: 'key', values: {API_KEY: 'sk-secret-value', PLACE: 'here'}};

function open(keyring: Keyring = memoryKeyring(), state = temporaryFolder()) {
  const received: string[] = [];
  const credentials: Credentials = openCredentials({
    state,
    keyring,
    onValue: (value) => received.push(value),
  });
  return {credentials, state, received};
}

describe('a credential of an agent', () => {
  test('is known in the run in which it was typed, to that agent alone, and masked', async () => {
    const {credentials, received} = open();
    credentials.remember(agent, key);
    expect(await credentials.find(agent)).toEqual({ok: true, value: {...key, isTyped: true}});
    expect(await credentials.find(other)).toEqual({ok: true, value: undefined});
    expect(received).toEqual(['sk-secret-value', 'here']);
  });

  test('is loaded in a later run if saved, and is in no file', async () => {
    const keyring = memoryKeyring();
    const {credentials, state} = open(keyring);
    expect((await credentials.keep(agent, key)).ok).toBe(true);
    const later = open(keyring, state);
    expect(await later.credentials.find(agent)).toEqual({ok: true, value: {...key, isTyped: false}});
    expect(await later.credentials.find(other)).toEqual({ok: true, value: undefined});
    expect(later.received).toContain('sk-secret-value');
    const files = readdirSync(state).map((name) => readFileSync(join(state, name), 'utf8'));
    expect(files.length).toBeGreaterThan(0);
    for (const text of files) expect(text).not.toMatch(/sk-secret-value|here/);
  });

  test('does not touch the keyring for an agent without saved ones', async () => {
    const keyring = memoryKeyring();
    keyring.broken = true;
    expect(await open(keyring).credentials.find(agent)).toEqual({ok: true, value: undefined});
  });

  test('is gone once deleted, here and in the keyring', async () => {
    const keyring = memoryKeyring();
    const {credentials, state} = open(keyring);
    await credentials.keep(agent, key);
    credentials.remember(agent, key);
    expect(await credentials.forget(agent)).toEqual({ok: true, value: true});
    expect(keyring.secrets.size).toBe(0);
    expect(await credentials.find(agent)).toEqual({ok: true, value: undefined});
    expect(await open(keyring, state).credentials.find(agent)).toEqual({ok: true, value: undefined});
    expect(await credentials.forget(agent)).toEqual({ok: true, value: false});
  });

  test('that a keyring cannot read, save or delete is reported, and the rest continues', async () => {
    const keyring = memoryKeyring();
    const {credentials, state} = open(keyring);
    await credentials.keep(agent, key);
    keyring.broken = true;
    const later = open(keyring, state).credentials;
    const reported = {ok: false, failure: {why: expect.stringContaining('it is locked')}};
    expect(await later.find(agent)).toMatchObject(reported);
    expect(await later.forget(agent)).toMatchObject(reported);
    expect(await later.keep(other, key)).toMatchObject(reported);
    expect(await later.whyNotKept()).toBe('it is locked');
    later.remember(other, key);
    expect(await later.find(other)).toMatchObject({ok: true, value: {isTyped: true}});
  });

  test.each([
    ['', undefined],
    ['{"method":1}', undefined],
  ])('that is %j in the keyring is ignored', async (damaged, found) => {
    const keyring = memoryKeyring();
    const {credentials, state} = open(keyring);
    await credentials.keep(agent, key);
    for (const account of keyring.secrets.keys()) keyring.secrets.set(account, damaged);
    expect(await open(keyring, state).credentials.find(agent)).toEqual({ok: true, value: found});
  });
});

describe('the identity of an agent', () => {
  const keyOf = (command: string, ...args: readonly string[]) => agentKey({command, args});

  test('stays the same for the next version of an installed agent', () => {
    const at = (path: string) => keyOf(`/home/ann/.local/share/acp-tui/agents/${path}`);
    expect(at('codex/1.10.0-beta.1/files/codex')).toBe(at('codex/1.9.2/files/codex'));
    expect(at('codex/1.9.2/files/codex')).not.toBe(at('codex/1.9.2/files/other'));
    expect(at('codex/1.9.2/files/codex')).not.toBe(at('other/1.9.2/files/codex'));
    expect(keyOf('uvx', '--from', 'agent==1.2.3', 'agent')).toBe(
      keyOf('uvx', '--from', 'agent==1.3.0', 'agent'),
    );
    expect(keyOf('uvx', '--from', 'agent==1.2.3', 'agent')).not.toBe(
      keyOf('uvx', '--from', 'b==1.2.3', 'agent'),
    );
  });

  const npx = (spec: string) => agentKey({command: 'npx', args: ['-y', spec, '--acp']});

  test('does not change with the version of its package, but with the package', () => {
    expect(npx('@example/agent@1.2.3')).toBe(npx('@example/agent@2.0.0-beta.1'));
    expect(npx('@example/agent@1.2.3')).toBe(npx('@example/agent'));
    expect(npx('@example/agent')).not.toBe(npx('@example/other'));
  });

  test('changes with the command and each argument, not with its name or environment', () => {
    const renamed = {...agent, label: 'else', env: {A: '1'}};
    expect(agentKey(renamed)).toBe(agentKey(agent));
    expect(agentKey({...agent, command: '/opt/node'})).not.toBe(agentKey(agent));
    expect(agentKey({...agent, args: ['agent.js', 'x']})).not.toBe(agentKey(agent));
    expect(agentKey({...agent, args: ['agent', '.js']})).not.toBe(agentKey({...agent, args: ['agent.js']}));
  });
});

/** Asks the keyring of the system in a process with this session bus. */
async function problemWith(bus: string): Promise<string> {
  const file = new URL('../../../src/storage/credentials/keyring.ts', import.meta.url).href;
  const script = `import {systemKeyring} from '${file}'; console.log(await systemKeyring().problem());`;
  const env = {...process.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}`};
  const {stdout} = await execa(process.execPath, ['--input-type=module', '-e', script], {env});
  return stdout;
}

describe.runIf(process.platform === 'linux')('a system says why there is no keyring', () => {
  test('without a session bus', async () => {
    expect(await problemWith('/nowhere')).toMatch(/no Secret Service|not installed/);
  });

  test('with a session bus that accepts, and never answers', async () => {
    const {bus, connected} = await silentBus();
    expect(await problemWith(bus)).toBe('it does not respond');
    await connected;
  });
});

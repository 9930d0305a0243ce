import {once} from 'node:events';
import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {agentOption, runHere, startProgram, type RunningProgram} from '../../support/program/run-program.ts';
import {idle} from '../conversation/open-conversation.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {
  allowed,
  makeRemote,
  openRemote,
  scriptedBridge,
  serveBridge,
  token,
  upgradeStatus,
} from './open-remote.ts';

async function served(...scenario: readonly string[]) {
  const bridge = scriptedBridge(...scenario);
  const server = await serveBridge(bridge);
  return {bridge, address: server.address, server};
}

describe.each(['ws', 'http'] as const)('a served agent over %s', (kind) => {
  test('is one process per connection, and stops with it', async () => {
    const {address, bridge} = await served('echo');
    const {prompt, until, said, conversation} = await openRemote(`${kind}://${address}`, {token});
    prompt('hello');
    await until(idle, 'the end of the turn');
    expect(said()).toContain('hello');
    const other = await openRemote(`${kind}://${address}`, {token});
    expect(bridge.running()).toBe(2);
    await Promise.all([conversation.close(), other.conversation.close()]);
    await bridge.ended();
    expect(bridge.running()).toBe(0);
    // It would also stop by itself after a minute.
  }, 45_000);

  test('that exits is reported to the client', async () => {
    const {address} = await served('crash');
    const {prompt, until} = await openRemote(`${kind}://${address}`, {token}, {hasUser: false});
    prompt('go');
    const {connection} = await until((state) => state.connection.kind === 'lost', 'the loss');
    expect(connection).toMatchObject({failure: {kind: 'connection_lost'}});
  });

  test('stops when the server is closed', async () => {
    const {address, bridge, server} = await served('echo');
    await openRemote(`${kind}://${address}`, {token}, {hasUser: false});
    await server.close();
    expect(bridge.running()).toBe(0);
  });

  test.each([undefined, 'a-token-for-this-tesT', ''])('does not start for the token %s', async (wrong) => {
    const {address, bridge} = await served('echo');
    const opened = await makeRemote(
      `${kind}://${address}`,
      wrong === undefined ? {} : {token: wrong},
    ).conversation.open();
    expect(opened).toMatchObject({failure: {kind: 'remote', reason: 'status', detail: '401'}});
    expect(bridge.running()).toBe(0);
  });

  test('is served at one path only', async () => {
    const {address} = await served('echo');
    const opened = await makeRemote(`${kind}://${address}x`, {token}).conversation.open();
    expect(opened).toMatchObject({failure: {kind: 'remote', reason: 'status', detail: '404'}});
  });
});

test('rejects a web page, even with the token', async () => {
  const {address} = await served('echo');
  expect(await upgradeStatus(address, allowed)).toBe(101);
  expect(await upgradeStatus(address, {...allowed, origin: 'http://localhost:3000'})).toBe(403);
  const posted = await fetch(`http://${address}`, {
    method: 'POST',
    headers: {...allowed, origin: 'null'},
    body: '{}',
  });
  expect(posted.status).toBe(403);
});

describe('acp-tui serve', () => {
  /** Resolves when it has printed everything. */
  async function url({child, stdout}: RunningProgram) {
    while (stdout().split('\n').length < 3)
      await once(child.stdout, 'data', {signal: AbortSignal.timeout(60_000)});
    const [, ws = '', http = '', shown = ''] =
      /Serving .* at (ws:\S+) and (http:\S+)\n(Token.*)\n/.exec(stdout()) ?? [];
    return {ws, http, shown};
  }

  test('prints its URL and its token, and stops with its agents on a signal', async () => {
    const server = startProgram(['serve', agentOption('echo')]);
    const {ws, http, shown} = await url(server);
    expect(ws).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/acp$/);
    const [, printed = ''] = /^Token: ([\w-]{43})$/.exec(shown) ?? [];
    for (const address of [ws, http]) {
      const {exitCode, stdout} = await runHere(['-p', '--agent', address, 'hello'], {
        env: {ACP_TUI_AGENT_TOKEN: printed},
      });
      expect(stdout).toContain('hello');
      expect(exitCode).toBe(0);
    }
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({exitCode: null, signal: 'SIGTERM'});
    expect(server.stderr()).toBe('');
  });

  test.each(['ws', 'http'] as const)('passes the doctor over %s', async (kind) => {
    const server = startProgram(['serve', agentOption('echo')], {env: {ACP_TUI_SERVE_TOKEN: token}});
    const {[kind]: address} = await url(server);
    const env = {ACP_TUI_AGENT_TOKEN: token};
    const {exitCode, stdout} = await runHere(['doctor', address, '--yes'], {env});
    expect(stdout).toContain(address);
    expect(stdout).toMatch(/exiting when its input ends.*it runs elsewhere/);
    expect({exitCode, stdout}).toEqual({exitCode: 0, stdout});
    const refused = await runHere(['doctor', address, '--yes']);
    expect(refused.stdout).toContain('The server answered 401');
    expect(refused.exitCode).toBe(1);
  });

  test('does not serve an agent whose program does not exist', async () => {
    const {exitCode, stdout, stderr} = await runHere(['serve', '--agent', 'no-such-agent']);
    expect(stderr).toContain('"no-such-agent" not found');
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
  });

  test('writes the token to a private file only', async () => {
    const file = join(temporaryFolder(), 'token');
    const server = startProgram(['serve', agentOption('echo'), '--token-file', file]);
    const {shown} = await url(server);
    expect(shown).toBe(`Token in ${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(server.stdout()).not.toContain(readFileSync(file, 'utf8').trim());
    const again = await runHere(['serve', agentOption('echo'), '--token-file', file]);
    expect(again.exitCode).toBe(2);
  });

  test('takes the token from the environment, and the agent does not get it', async () => {
    const server = startProgram(['serve', agentOption('mirror')], {env: {ACP_TUI_SERVE_TOKEN: token}});
    const {shown} = await url(server);
    expect(shown).toBe('Token of ACP_TUI_SERVE_TOKEN');
    expect(server.stdout()).not.toContain(token);
  });

  test('listens where other computers can connect only with --allow-unencrypted', async () => {
    const refused = await runHere(['serve', agentOption('echo'), '--listen', '0.0.0.0:0']);
    expect(refused.stderr).toContain('--allow-unencrypted');
    const listen = ['--listen', '0.0.0.0:0', '--allow-unencrypted'];
    const {ws} = await url(startProgram(['serve', agentOption('echo'), ...listen]));
    expect(ws).toMatch(/^ws:\/\/0\.0\.0\.0:\d+\/acp$/);
  });

  test.each([
    [['--listen', 'nonsense'], {}, 2],
    [['--listen', '127.0.0.1:99999'], {}, 2],
    [['--listen', '0.0.0.0:0'], {}, 2],
    [['--listen', '[::]:0'], {}, 2],
    [['--listen', 'example.org:0'], {}, 2],
    [['--agent', 'ws://127.0.0.1:1/acp'], {}, 2],
    [[], {ACP_TUI_SERVE_TOKEN: 'short'}, 2],
  ])('rejects %j', async (args, env, code) => {
    const agent = args[0] === '--agent' ? [] : [agentOption('echo')];
    const {exitCode, stderr} = await runHere(['serve', ...agent, ...args], {env});
    expect(stderr).toMatch(/^acp-tui: /);
    expect(exitCode).toBe(code);
  });
});

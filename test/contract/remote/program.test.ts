import {readdirSync, readFileSync, writeFileSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runHere, runProgram} from '../../support/program/run-program.ts';
import {scriptedBridge} from './open-remote.ts';
import {serveAgent} from '../../support/servers/remote-server.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {authority, serveProxy} from '../../support/servers/servers.ts';

const token = 'a-token-that-nobody-sees';

/** The contents of everything below a folder, as text. */
function textsIn(folder: string): string {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

test.each(['ws', 'http'] as const)('-p works with an agent at a %s URL', async (kind) => {
  const served = await serveAgent(scriptedBridge('echo'), {
    refuse: ({headers}) => (headers.authorization === `Bearer ${token}` ? undefined : 401),
  });
  const {exitCode, stdout, stderr} = await runHere(['-p', '--agent', served[kind], 'hello'], {
    input: '',
    env: {ACP_TUI_AGENT_TOKEN: token},
  });
  expect(stderr).not.toContain('Cannot');
  expect(stdout).toContain('hello');
  expect(exitCode).toBe(0);
});

test('a wrong token exits with code 6 and a message', async () => {
  const served = await serveAgent(scriptedBridge('echo'), {refuse: () => 401});
  const {exitCode, stderr} = await runHere(['-p', '--agent', served.ws, 'hello']);
  expect(stderr).toContain('Check the token');
  expect(exitCode).toBe(6);
});

test('no token, header, query or cookie is written to the log, the recording, the sessions or the screen', async () => {
  const served = await serveAgent(scriptedBridge('echo'), {cookie: 'affinity=hidden-cookie'});
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'));
  const agents = {
    there: {url: `${served.ws}?key=hidden-query`, token: 'hidden-token', headers: {'X-Key': 'hidden-header'}},
  };
  writeFileSync(join(home, 'config', 'config.json'), JSON.stringify({agents}));
  const env = {ACP_TUI_CONFIG_DIR: join(home, 'config'), ACP_TUI_STATE_DIR: join(home, 'state')};
  const args = ['-p', '--agent', 'there', '--log-level', 'debug', '--record', join(home, 'it.jsonl'), 'hi'];
  const {exitCode, stdout, stderr} = await runHere(args, {input: '', env});
  expect(stderr).not.toContain('Cannot');
  expect(exitCode).toBe(0);
  const kept = textsIn(join(home, 'state')) + readFileSync(join(home, 'it.jsonl'), 'utf8');
  expect(kept).toContain(served.ws);
  expect(served.requests[0]).toMatchObject({authorization: 'Bearer hidden-token', 'x-key': 'hidden-header'});
  expect(kept + stdout + stderr).not.toMatch(/hidden-(token|header|query|cookie)/);
  const refused = await runHere(['config', 'get', 'agents.there'], {input: '', env});
  expect(refused.stdout).not.toMatch(/hidden-(token|header|query)/);
});

test.each(['ws', 'http'] as const)(
  'a proxy and an authority of the environment are used for %s',
  async (kind) => {
    const served = await serveAgent(scriptedBridge('echo'), {tls: true});
    const proxy = await serveProxy();
    const env = {NODE_EXTRA_CA_CERTS: authority, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: ''};
    const {exitCode, stdout, stderr} = await runProgram(['-p', '--agent', served[kind], 'hello'], {
      input: '',
      env,
    });
    expect(stderr).not.toContain('Cannot');
    expect(stdout).toContain('hello');
    expect(exitCode).toBe(0);
    expect(proxy.asked[0]?.target).toBe(`127.0.0.1:${served.port}`);
  },
);

test.each(['ws', 'http'] as const)('a proxy that rejects is reported for %s', async (kind) => {
  const served = await serveAgent(scriptedBridge('echo'), {tls: true});
  const proxy = await serveProxy({refuses: 407});
  const env = {NODE_EXTRA_CA_CERTS: authority, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: ''};
  const {exitCode, stderr} = await runProgram(['-p', '--agent', served[kind], 'hello'], {input: '', env});
  expect(stderr).toMatch(/The proxy refused the connection: .*407/);
  expect(exitCode).toBe(1);
});

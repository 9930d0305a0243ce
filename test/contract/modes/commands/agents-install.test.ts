import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';
import {tarGz} from '../../../support/servers/archives.ts';
import {serve} from '../../../support/servers/servers.ts';
import {runHere, startProgram, type ProgramResult} from '../../../support/program/run-program.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

/* A registry and archives on the loopback address; what is killed or runs twice is the built program. */

/** An agent as published: a launcher and the program it launches. */
const packedAgent = tarGz([
  {
    path: 'bin/agent',
    content: `#!/bin/sh\nexec "${process.execPath}" "$(dirname "$0")/lib/main.mjs" "$@"\n`,
  },
  {path: 'bin/lib/main.mjs', content: readFileSync(FAKE_AGENT)},
]);

let folder: string;
let address: string;
let version: string;
let asked: string[];
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  folder = temporaryFolder();
  version = '1.0.0';
  asked = [];
  answer = (response) => void response.end(packedAgent);
  address = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url !== '/registry.json') return answer(response);
    const target = {
      archive: `${address}/agent-${version}.tar.gz?token=secret`,
      cmd: './bin/agent',
      args: ['echo'],
    };
    const platforms = ['linux-x86_64', 'linux-aarch64', 'darwin-aarch64', 'darwin-x86_64'];
    const binary = Object.fromEntries(platforms.map((platform) => [platform, target]));
    const entry = {
      id: 'x',
      name: 'Agent X',
      version,
      description: 'd',
      license: 'MIT',
      distribution: {binary},
    };
    response.end(JSON.stringify({agents: [entry]}));
  });
});

const environment = () => ({
  ACP_TUI_CONFIG_DIR: join(folder, 'config'),
  ACP_TUI_STATE_DIR: join(folder, 'state'),
  ACP_TUI_DATA_DIR: join(folder, 'data'),
  ACP_TUI_CACHE_DIR: join(folder, 'cache'),
  ACP_TUI_REGISTRY_URL: `${address}/registry.json`,
});

const run = (...args: readonly string[]): Promise<ProgramResult> =>
  runHere(args, {cwd: folder, env: environment()});
const start = (...args: readonly string[]) =>
  startProgram(args, {input: '', cwd: folder, env: environment()});

const agents = () => join(folder, 'data/agents');

test('says that nothing was installed if the registry cannot be reached', async () => {
  const env = {...environment(), ACP_TUI_REGISTRY_URL: 'http://127.0.0.1:9/registry.json'};
  const {exitCode, stderr} = await runHere(['agents', 'install', 'x', '--yes'], {cwd: folder, env});
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/Cannot reach the server[^]*\nNothing installed\.\n$/);
});

test('offers the tested version of a known agent if the registry cannot be reached', async () => {
  const env = {...environment(), ACP_TUI_REGISTRY_URL: 'http://127.0.0.1:9/registry.json', PATH: '/nowhere'};
  const {exitCode, stderr} = await runHere(['agents', 'install', 'gemini', '--yes'], {cwd: folder, env});
  expect(exitCode).toBe(1);
  expect(stderr).toContain('Without the registry, this is the version that acp-tui was tested with.\n');
  expect(stderr).toContain('npm');
});

test('installs, runs, updates and removes an agent', async () => {
  const installed = await run('agents', 'install', 'x', '--yes');
  expect(installed).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: `Agent X 1.0.0 (x)
  license   MIT
  from      ${address}/agent-1.0.0.tar.gz?… (size unknown)
  checked   none: the registry has no checksum
  into      ${agents()}/x/1.0.0
  starts    ./bin/agent echo
Installed x 1.0.0. Start it with: acp-tui --agent x
`,
  });
  const hello = {exitCode: 0, stdout: 'hello\n', stderr: ''};
  expect(await run('-p', '--agent', 'x', 'hello')).toEqual(hello);
  expect(await run('agents', 'install', 'x', '--yes')).toMatchObject({
    exitCode: 0,
    stderr: 'x 1.0.0 is already installed.\n',
  });
  expect((await run('agents', 'update', '--yes')).stderr).toBe('x: up to date.\n');

  version = '2.0.0';
  expect((await run('agents', 'list', '--refresh')).stdout).toMatch(
    /^x +installed, registry +1\.0\.0 \(2\.0\.0 available\)/m,
  );
  const updated = await run('agents', 'update', '--yes');
  expect(updated.stderr).toContain('Agent X 2.0.0 (x), replacing 1.0.0\n');
  expect(updated.exitCode).toBe(0);
  const {stdout: reported} = await run('agents', 'info', 'x');
  expect(reported).toMatch(/^Command +.*\/x\/2\.0\.0\/files\/bin\/agent echo$/m);
  expect(reported).toMatch(/^Source +http:.*\/agent-2\.0\.0\.tar\.gz$/m);
  expect(reported).toContain(createHash('sha256').update(packedAgent).digest('hex'));
  expect(await run('-p', '--agent', 'x', 'hello')).toEqual(hello);

  expect(await run('agents', 'uninstall', 'x')).toMatchObject({
    exitCode: 0,
    stderr: 'Removed x 2.0.0, 1.0.0.\n',
  });
  expect(readdirSync(agents())).toEqual([]);
  expect(await run('-p', '--agent', 'x', 'hello')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('"x" not found'),
  });
});

test('reports where settings and registry disagree', async () => {
  await run('agents', 'add', 'x', '--', process.execPath);
  expect((await run('agents', 'install', 'x', '--yes')).stderr).toContain('--agent x starts that one.');
  version = 'none';
  expect(await run('agents', 'update', '--yes')).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('x is no longer in the registry; left unchanged.'),
  });
});

describe('nothing is downloaded', () => {
  test.each(['install', 'update'])('by %s without a terminal and without consent', async (verb) => {
    expect(await run('agents', verb, 'x')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/needs confirmation.* pass --yes\.\n$/),
    });
    expect(asked).toEqual([]);
  });

  test('for an agent that is not in the registry', async () => {
    expect(await run('agents', 'install', 'y', '--yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('No agent "y" in the registry.'),
    });
    expect(asked).toEqual(['GET /registry.json']);
  });

  test("in a version other than the registry's", async () => {
    expect(await run('agents', 'install', 'x', '--version', '0.9.0', '--yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('The registry has only version 1.0.0. Omit --version'),
    });
    expect(asked).toEqual(['GET /registry.json']);
  });
});

describe('an installation', () => {
  /** Waits until the archive is being downloaded. */
  async function begun(): Promise<void> {
    await expect.poll(() => asked).toContain('GET /agent-2.0.0.tar.gz?token=secret');
  }

  beforeEach(async () => {
    await run('agents', 'install', 'x', '--yes');
    version = '2.0.0';
    answer = (response) => {
      response.writeHead(200, {'content-length': '100000'});
      if (asked.at(-1)?.startsWith('GET')) response.write('x');
      else response.end();
    };
  });

  test('that is killed keeps the previous version, and the next one cleans up', async () => {
    const killed = start('agents', 'update', '--yes');
    await begun();
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(readdirSync(agents())).toHaveLength(2);
    expect(await run('-p', '--agent', 'x', 'hello')).toMatchObject({exitCode: 0, stdout: 'hello\n'});
    answer = (response) => void response.end(packedAgent);
    expect(await run('agents', 'update', '--yes')).toMatchObject({exitCode: 0});
    expect(readdirSync(agents())).toEqual(['x']);
    expect(await run('-p', '--agent', 'x', 'hello')).toMatchObject({exitCode: 0, stdout: 'hello\n'});
  });

  test('that is interrupted says so and leaves nothing behind', async () => {
    const interrupted = start('agents', 'update', '--yes');
    await begun();
    interrupted.child.kill('SIGINT');
    expect(await interrupted.ended).toMatchObject({exitCode: 130});
    expect(interrupted.stderr()).toContain('x was not installed. Cancelled.');
    expect(readdirSync(agents())).toEqual(['x']);
  });

  test('that another process runs as well completes', async () => {
    answer = (response) => void response.end(packedAgent);
    const both = [start('agents', 'update', '--yes'), start('agents', 'update', '--yes')];
    const ends = await Promise.all(both.map(({ended}) => ended));
    expect(ends.map(({exitCode}) => exitCode)).toEqual([0, 0]);
    expect(readdirSync(agents())).toEqual(['x']);
    expect(existsSync(join(agents(), 'x/2.0.0/installed.json'))).toBe(true);
  });
});

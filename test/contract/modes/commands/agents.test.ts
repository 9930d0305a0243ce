import {readFileSync, writeFileSync} from 'node:fs';
import type {RequestListener} from 'node:http';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {serve} from '../../../support/servers/servers.ts';
import {runHere, type ProgramResult} from '../../../support/program/run-program.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

/* The built program, with a registry on the loopback address. */

const goose = {
  id: 'goose',
  name: 'Goose',
  version: '1.2.3',
  description: 'A local and extensible agent that does much more than to suggest code',
  repository: 'https://github.com/block/goose',
  authors: ['Block'],
  license: 'Apache-2.0',
  distribution: {
    binary: {'linux-x86_64': {archive: 'https://example.org/goose.tar.gz', cmd: './goose', args: ['acp']}},
    npx: {package: '@block/goose@1.2.3', args: ['acp', 'two words']},
  },
};
const hostile = {
  ...goose,
  id: 'hostile',
  name: 'Hos\u001b]0;title\u0007tile',
  description: 'First\nsecond \u001b[2J\u202Eline',
};

let folder: string;
let asked: number;
let answer: RequestListener;
let url: string;

beforeEach(async () => {
  folder = temporaryFolder();
  asked = 0;
  answer = (_, response) => void response.end(JSON.stringify({agents: [goose, hostile, {id: 'bad'}]}));
  url = await serve((request, response) => {
    asked++;
    answer(request, response);
  });
  writeFileSync(join(folder, 'qwen'), '', {mode: 0o755});
});

/** The output as printed, with both streams apart. */
function agents(...args: readonly string[]): Promise<ProgramResult> {
  const env = {
    ACP_TUI_CONFIG_DIR: join(folder, 'config'),
    ACP_TUI_CACHE_DIR: join(folder, 'cache'),
    ACP_TUI_REGISTRY_URL: url,
    PATH: folder,
  };
  return runHere(['agents', ...args], {cwd: folder, env});
}

const settings = () => JSON.parse(readFileSync(join(folder, 'config/config.json'), 'utf8')) as unknown;

describe('acp-tui agents', () => {
  test('lists the agents on this computer without a request', async () => {
    const {exitCode, stdout, stderr} = await agents();
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['qwen-code', 'on PATH', 'qwen --acp'],
      ['demo', 'built in', expect.stringContaining('offline')],
      [''],
    ]);
    expect(stderr).toBe(
      `Not installed: claude-acp, codex-acp, gemini, opencode, github-copilot-cli, goose, cursor. acp-tui agents install NAME installs one.\nRegistry not loaded. --refresh loads ${url}/.\n`,
    );
    expect(asked).toBe(0);
  });

  test('lists the cached registry with its age and its problems', async () => {
    const refreshed = await agents('list', '--refresh');
    expect(refreshed.stdout).toMatch(/^goose +registry +1\.2\.3 +A local and extensible agent/m);
    expect(refreshed.stderr).toMatch(/warning: One entry of the registry ignored: bad \(/);
    expect(asked).toBe(1);
    const later = await agents('list');
    expect(later.stdout).toBe(refreshed.stdout);
    expect(later.stderr).toMatch(/^Registry: 2 agents, loaded just now\./);
    expect(asked).toBe(1);
  });

  test('uses and reports the cached registry when the request fails', async () => {
    await agents('list', '--refresh');
    answer = (_, response) => void response.writeHead(503).end();
    const {exitCode, stdout, stderr} = await agents('search', 'goose', '--refresh');
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^goose /)]);
    expect(stderr).toMatch(/warning: .*503.* Using the list loaded just now\./);
  });

  test('fails when the registry never answered, and still lists the local agents', async () => {
    answer = (_, response) => void response.end('<html>');
    const {exitCode, stdout, stderr} = await agents('list', '--refresh');
    expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/^qwen-code /)]);
    expect(stderr).toMatch(/not an agent registry.* Only local agents are known\./);
  });

  test('searches by letters and words, in the registry too, and prints no control characters', async () => {
    const found = await agents('search', 'line', 'second');
    expect(found.stdout).toMatch(/^hostile +registry +1\.2\.3 +First.+second.+line$/m);
    expect(found.stdout + found.stderr).not.toMatch(/[\u001b\u202e\u0007]/);
    expect((await agents('search', 'gse')).stdout).toMatch(/^goose /);
    expect((await agents('search', 'zzzz')).stderr).toMatch(/^No agents found\.\n/);
    expect(asked).toBe(1);
  });

  test('makes no request with --offline', async () => {
    expect((await agents('search', 'goose', '--offline')).stdout).toBe('');
    expect(asked).toBe(0);
  });

  test('shows everything about one agent', async () => {
    await agents('list', '--refresh');
    const {stdout} = await agents('info', 'goose');
    expect(stdout).toBe(`Goose (goose)

A local and extensible agent that does much more than to suggest code

Found in      registry
Version       1.2.3
License       Apache-2.0
Authors       Block
Repository    https://github.com/block/goose
Available as  npx @block/goose@1.2.3 acp 'two words'
Available as  program for linux-x86_64
`);
    expect(await agents('info', 'gosse')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('search'),
    });
  });

  test('writes JSON for other programs', async () => {
    await agents('add', 'mine', '--env', 'KEY=secret', '--', 'qwen', '--acp');
    const {stdout} = await agents('list', '--refresh', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      v: 1,
      registry: {url: `${url}/`, left: [{name: 'bad'}]},
      agents: [
        {id: 'mine', origins: ['settings'], command: 'qwen --acp', settings: {env: ['KEY']}},
        {id: 'qwen-code', origins: ['path']},
        {id: 'demo', origins: ['built in']},
        {id: 'goose', origins: ['registry'], registry: {license: 'Apache-2.0'}},
        {id: 'hostile'},
      ],
    });
    expect(stdout).not.toContain('secret');
  });
});

describe('acp-tui agents add', () => {
  test('saves a command with its environment and settings, and remove deletes it', async () => {
    const added = await agents(
      'add',
      'mine',
      '--env',
      'A=b=c',
      '--mode',
      'code',
      '--',
      './run me',
      '--acp',
      '$X',
    );
    expect(added).toEqual({exitCode: 0, stdout: '', stderr: 'Added. Start it with --agent mine.\n'});
    expect(settings()).toEqual({
      agents: {
        mine: {
          command: {command: join(folder, 'run me'), args: ['--acp', '$X']},
          env: {A: 'b=c'},
          mode: 'code',
        },
      },
    });
    expect((await agents('info', 'mine')).stdout).toMatch(/Command +'.*\/run me' --acp/);
    expect(await agents('remove', 'mine')).toMatchObject({exitCode: 0});
    expect(settings()).toEqual({});
  });

  test('keeps all other settings, including unknown ones', async () => {
    await agents('add', 'mine', '--', 'qwen');
    const config = join(folder, 'config/config.json');
    writeFileSync(config, '{"x": 1, "agents": {"other": 7}}');
    await agents('add', 'mine', '--', 'qwen');
    expect(settings()).toEqual({x: 1, agents: {other: 7, mine: {command: {command: 'qwen', args: []}}}});
  });

  test.each([
    [['demo', '--', 'x'], /reserved for the built-in agent/],
    [['Demo', '--', 'x'], /is reserved/],
    [['two words', '--', 'x'], /Invalid agent name/],
    [['../evil', '--', 'x'], /Invalid agent name/],
    [['mine'], /Missing command/],
    [['mine', '--mode', '', '--', 'x'], /--mode requires a value/],
    [['mine', '--env', 'A', '--', 'x'], /--env must be NAME=value/],
    [['mine', 'agent', '--acp'], /unknown option.*--acp/i],
  ])('rejects %j', async (args, problem) => {
    const {exitCode, stderr} = await agents('add', ...args);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(problem)]);
  });

  test('replaces an agent only when asked to, and says what a name no longer refers to', async () => {
    expect((await agents('add', 'gemini', '--', 'nowhere')).stderr).toMatch(
      /No program "nowhere" on PATH yet\.\nAdded\. Start it with --agent gemini, no longer Gemini CLI\.\n$/,
    );
    expect(await agents('add', 'gemini', '--', 'qwen')).toMatchObject({exitCode: 2});
    expect(await agents('add', 'gemini', '--replace', '--', 'qwen')).toMatchObject({exitCode: 0});
    expect(settings()).toMatchObject({agents: {gemini: {command: {command: 'qwen'}}}});
  });

  test('removes nothing that is not in the settings', async () => {
    expect(await agents('remove', 'qwen-code')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('your settings'),
    });
  });
});

import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openFolderTrust} from '../../../../../src/window/trust/folder-trust.ts';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';
import {agentOption, runHere} from '../../../../support/program/run-program.ts';
import {FAKE_AGENT} from '../../../../support/fake-agent.ts';

const NODE = JSON.stringify({mcpServers: {folder: {command: process.execPath}}});

/** A folder with its settings, and a run there of an agent that reports the MCP servers it got. */
function inFolder(settings: object = {}) {
  const [cwd, config, state] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  mkdirSync(config, {recursive: true});
  writeFileSync(join(config, 'config.json'), JSON.stringify(settings));
  const run = (...args: readonly string[]) =>
    runHere(['-p', 'which', agentOption('servers'), ...args], {
      input: '',
      cwd,
      env: {ACP_TUI_CONFIG_DIR: config, ACP_TUI_STATE_DIR: state, MCP_TEST_WORD: 'elephant-in-the-room'},
    });
  return {cwd, state, run, write: (name: string, text: string) => writeFileSync(join(cwd, name), text)};
}

describe('print mode', () => {
  test('takes servers from settings and options, options last, and reports each omitted one', async () => {
    const {run, write, cwd} = inFolder({
      mcpServers: {one: {url: 'https://one.example'}, two: {url: 'https://two.example'}, bad: {command: 7}},
    });
    write('a.json', '{"mcpServers":{"two":{"url":"https://a.example/${MCP_TEST_WORD}"}}}');
    write('b.json', '{"servers":{"three":{"command":"nobody-has-this"}}}');
    const {stdout, stderr, exitCode} = await run(
      '--mcp-config',
      'a.json',
      '--mcp-config',
      join(cwd, 'b.json'),
    );
    expect(stdout).toBe(
      'I got 2 servers: one at https://one.example, two at https://a.example/elephant-in-the-room\n',
    );
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/warning: "mcpServers\.bad" in .*config\.json must be an object with a command/);
    expect(stderr).toMatch(/MCP server "three" \(.*b\.json\) skipped: program .* not found/);
  });

  test('gives an agent its own servers beside the common ones, and no other agent', async () => {
    const servers = (host: string) => ({
      one: {url: `https://${host}.example`},
      [host]: {url: 'https://x.example'},
    });
    const {run} = inFolder({
      mcpServers: servers('all'),
      agents: {
        mine: {
          command: {command: process.execPath, args: [FAKE_AGENT, 'servers']},
          mcpServers: {...servers('mine'), wrong: {}},
        },
      },
    });
    const mine = await run('--agent', 'mine');
    expect(mine.stdout).toBe(
      'I got 3 servers: one at https://mine.example, all at https://x.example, mine at https://x.example\n',
    );
    expect(mine.stderr).toMatch(
      /^acp-tui: warning: "agents\.mine\.mcpServers\.wrong" in .* must be an object/,
    );
    expect((await run()).stdout).toContain('I got 2 servers: one at https://all.example');
  });

  test.each([
    ['that does not exist', undefined, /does not exist/],
    ['that is not JSON', '{', /not JSON/],
    ['without servers', '{}', /no "mcpServers"/],
  ])('exits with code 2 for an --mcp-config file %s', async (_name, text, why) => {
    const {run, write} = inFolder();
    if (text !== undefined) write('a.json', text);
    const {exitCode, stdout, stderr} = await run('--mcp-config', 'a.json');
    expect({exitCode, stdout}).toEqual({exitCode: 2, stdout: ''});
    expect(stderr).toMatch(/a\.json/);
    expect(stderr).toMatch(why);
  });

  test('uses .mcp.json only where it was trusted before, and starts nothing once it has changed', async () => {
    const {run, write, state, cwd} = inFolder();
    write('.mcp.json', NODE);
    const untrusted = await run();
    expect(untrusted.stdout).toBe('I got 0 servers:\n');
    expect(untrusted.stderr).toContain('.mcp.json of this folder: ignored');
    const book = {useProject: () => {}};
    openFolderTrust({state, folder: cwd, permissions: book, mcp: book, hasUser: true})?.accept();
    expect(await run()).toMatchObject({
      stdout: `I got 1 servers: folder at ${process.execPath}\n`,
      stderr: '',
    });
    write('.mcp.json', NODE.replace('folder', 'other'));
    expect(await run()).toMatchObject({exitCode: 2, stdout: ''});
  });

  test('keeps values of variables out of the recording and the log', async () => {
    const {run, write, cwd, state} = inFolder();
    write('a.json', '{"mcpServers":{"a":{"url":"https://a.example/${MCP_TEST_WORD}"}}}');
    await run('--mcp-config', 'a.json', '--record', 'wire.ndjson', '--log-level', 'debug');
    expect(readFileSync(join(cwd, 'wire.ndjson'), 'utf8')).toContain('https://a.example/[masked]');
    const written = [join(cwd, 'wire.ndjson'), ...readdirSync(state).map((name) => join(state, name))];
    for (const file of written.filter((name) => /\.(ndjson|log)$/.test(name)))
      expect(readFileSync(file, 'utf8')).not.toContain('elephant');
  });
});

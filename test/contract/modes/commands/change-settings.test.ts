import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runHere} from '../../../support/program/run-program.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {placeWith} from './config-folder.ts';

describe('acp-tui config set', () => {
  test('creates a private file and accepts JSON and text', async () => {
    const {config, file, content} = placeWith();
    for (const [name, value] of [
      ['approve', 'reads'],
      ['sessions.keepDays', '30'],
      ['sessions.save', 'false'],
      ['agent', '7'],
      ['keys.undo', '["ctrl+z"]'],
      ['agents.mine.command', 'my-agent --acp'],
      ['agents.mine.options.effort', 'true'],
      ['mcpServers.docs', '{"url":"https://docs.example"}'],
    ] as const)
      expect(await config('set', name, value)).toMatchObject({exitCode: 0, stdout: ''});
    expect(content()).toEqual({
      approve: 'reads',
      sessions: {keepDays: 30, save: false},
      agent: '7',
      keys: {undo: ['ctrl+z']},
      agents: {mine: {command: 'my-agent --acp', options: {effort: true}}},
      mcpServers: {docs: {url: 'https://docs.example'}},
    });
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  test.each([
    [
      'theme',
      'drak',
      /"theme" in .* must be the name of a theme: auto, dark, .*plain, or your own, not "drak"/,
    ],
    ['approve', 'most', /"approve" in .* must be none, reads, edits or all, not "most"; nothing changed/],
    ['sessions.keepDays', 'soon', /"sessions\.keepDays" in .* must be a number greater than 0, not "soon"/],
    ['sessions.keepDay', '3', /"sessions\.keepDay" in .* is not a setting; nothing changed/],
    ['keys.undo', 'ctlr+z', /Unknown key "ctlr\+z"/],
    ['keys.undoo', 'ctrl+z', /Unknown action "undoo"/],
    ['agents.mine.approve', 'most', /"agents\.mine\.approve" in .* must be none, reads, edits or all/],
    ['agents.mine.nope', 'x', /"agents\.mine\.nope" in .* is not an agent setting/],
    ['mcpServers.a.args', '["x"]', /"mcpServers\.a" in .* must be an object with a command/],
    ['mcpServers."a\\nb"', '{"command":"c"}', /has a name with unprintable characters/],
    ['agents.mine.mcpServers."a\\nb"', '{"command":"c"}', /has a name with unprintable characters/],
    ['permissions.allow', '["nonsense"]', /"permissions\.allow\[0\]"/],
    ['nothing', 'x', /Unknown setting "nothing"/],
  ])('rejects %s %s, lists what is allowed, and changes nothing', async (name, value, why) => {
    const {config, content} = placeWith({theme: 'light'});
    const {exitCode, stderr} = await config('set', name, value);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(why);
    expect(content()).toEqual({theme: 'light'});
  });

  test('ignores another invalid setting and leaves it unchanged', async () => {
    const {config, content} = placeWith({approve: 'most', keys: {undo: 7}});
    expect((await config('set', 'keys.redo', 'ctrl+y')).exitCode).toBe(0);
    expect(content()).toEqual({approve: 'most', keys: {undo: 7, redo: 'ctrl+y'}});
  });

  test('reports when another action loses its key, and when a variable overrides the file', async () => {
    const {config, run} = placeWith();
    expect(await config('set', 'keys.undo', 'ctrl+u')).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^warning: keys: Ctrl\+U is bound to undo and to kill_to_line_start/),
    });
    expect((await run(['set', 'theme', 'light'], {env: {ACP_TUI_THEME: 'dark'}})).stderr).toContain(
      'ACP_TUI_THEME is set in your environment',
    );
  });

  test('takes earlier names, and writes the names of today', async () => {
    const {config, content} = placeWith({sandbox: 'on', network: 'none', theme: 'dark', glyphs: 'ascii'});
    for (const [name, value] of [
      ['sandboxHidden', '[".env"]'],
      ['sandbox', 'off'],
      ['background', 'true'],
      ['agents.mine.sandbox', 'on'],
      ['agents.mine.networkHosts', '["a.example"]'],
    ] as const)
      expect(await config('set', name, value)).toMatchObject({exitCode: 0, stderr: ''});
    expect(content()).toEqual({
      sandbox: {enabled: 'off', network: 'none', hidden: ['.env']},
      theme: 'dark',
      accessibility: {glyphs: 'ascii'},
      background: {enabled: true},
      agents: {mine: {sandbox: {enabled: 'on', hosts: ['a.example']}}},
    });
    expect(await config('set', 'sandbox', 'maybe')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('"sandbox.enabled" in') as string,
    });
    expect(await config('unset', 'network')).toMatchObject({exitCode: 0});
    expect(await config('unset', 'sandboxHidden')).toMatchObject({exitCode: 0});
    expect(content()).toMatchObject({sandbox: {enabled: 'off'}});
  });

  test('changes nothing in a file with a setting by two names', async () => {
    const {config, content} = placeWith({images: 'off', accessibility: {images: 'auto'}});
    expect(await config('set', 'theme', 'dark')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/"images" and "accessibility\.images", which are the same/) as string,
    });
    expect(content()).toEqual({images: 'off', accessibility: {images: 'auto'}});
  });

  test('of the status line, takes a list or a command by both of its names', async () => {
    const {config, content} = placeWith({statusCommand: 'old', theme: 'dark'});
    const set = async (...args: readonly string[]) =>
      expect(await config('set', ...args)).toMatchObject({exitCode: 0, stderr: ''});
    await set('theme', 'light');
    expect(content()).toEqual({statusLine: {command: 'old'}, theme: 'light'});
    await set('statusLine.command', 'new --all');
    expect(content()).toMatchObject({statusLine: {command: 'new --all'}});
    await set('statusLine', '["agent", "cost"]');
    expect(content()).toMatchObject({statusLine: ['agent', 'cost']});
    await set('statusCommand', 'mine');
    expect(content()).toMatchObject({statusLine: {command: 'mine'}});
    expect((await config('get', 'statusCommand')).stdout).toBe('mine\n');
    for (const value of ['["no"]', '{"command": 7}', '{"command": "a", "padding": 0}'])
      expect(await config('set', 'statusLine', value)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('"statusLine" in') as string,
      });
    expect(await config('unset', 'statusCommand')).toMatchObject({exitCode: 0});
    expect(content()).toEqual({theme: 'light'});
  });

  test.each([
    [{statusCommand: 'a', statusLine: ['agent']}, '"statusCommand" and "statusLine", which are the same'],
    [{glyphs: 'ascii', accessibility: true}, '"accessibility" in'],
  ])('changes nothing in a file with a group and what is in it: %j', async (given, problem) => {
    const {config, content} = placeWith(given);
    expect(await config('set', 'theme', 'dark')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(problem) as string,
    });
    expect(content()).toEqual(given);
  });

  test('does not overwrite a file it cannot parse', async () => {
    const {config, file} = placeWith('{"theme":');
    expect(await config('set', 'theme', 'dark')).toMatchObject({exitCode: 2, stdout: ''});
    expect(readFileSync(file, 'utf8')).toBe('{"theme":');
  });
});

describe('acp-tui config unset', () => {
  test('removes a setting and the objects it leaves empty', async () => {
    const {config, content} = placeWith({theme: 'light', sessions: {keepDays: 3}});
    expect(await config('unset', 'sessions.keepDays')).toMatchObject({exitCode: 0});
    expect(content()).toEqual({theme: 'light'});
    expect(await config('unset', 'theme')).toMatchObject({exitCode: 0});
    expect(content()).toEqual({});
    expect(await config('unset', 'theme')).toMatchObject({exitCode: 1});
  });

  test('of a sandbox by its short name leaves what it protects', async () => {
    const {config, content} = placeWith({sandbox: 'on', sandboxHidden: ['.env']});
    expect(await config('unset', 'sandbox')).toMatchObject({exitCode: 0});
    expect(content()).toEqual({sandbox: {hidden: ['.env']}});
  });

  test('removes an invalid setting, too', async () => {
    const {config, content} = placeWith({keys: {undo: 7}});
    expect(await config('unset', 'keys.undo')).toMatchObject({exitCode: 0});
    expect(content()).toEqual({});
  });
});

describe('acp-tui config edit', () => {
  test('creates the file if missing, opens it, and checks it afterwards', async () => {
    const {run, file} = placeWith();
    const edit = (text: string) => (path: string) => {
      expect(readFileSync(path, 'utf8')).not.toBe('');
      writeFileSync(path, text);
      return Promise.resolve(undefined);
    };
    expect(await run(['edit'], {edit: edit('{"theme":"light"}')})).toMatchObject({exitCode: 0, stderr: ''});
    expect(await run(['edit'], {edit: edit('{"theme":7}')})).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('"theme" in'),
    });
    expect(await run(['edit'], {edit: edit('{')})).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('cannot be read'),
    });
    expect(readFileSync(file, 'utf8')).toBe('{');
  });

  test('requires a terminal and reports why an editor failed', async () => {
    const {run, file} = placeWith();
    expect(await run(['edit'])).toMatchObject({exitCode: 2});
    expect(existsSync(file)).toBe(false);
    const edit = () => Promise.resolve('The editor failed (exit code 1).');
    expect(await run(['edit'], {edit})).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('exit code 1'),
    });
  });
});

test('prints the path of the file and changes it', async () => {
  const folder = temporaryFolder();
  const run = (...args: string[]) =>
    runHere(['config', ...args], {cwd: folder, env: {ACP_TUI_CONFIG_DIR: folder}});
  expect(await run('path')).toEqual({exitCode: 0, stdout: `${join(folder, 'config.json')}\n`, stderr: ''});
  expect(await run('set', 'theme', 'light')).toEqual({exitCode: 0, stdout: '', stderr: ''});
  expect(await run('get', 'theme')).toEqual({exitCode: 0, stdout: 'light\n', stderr: ''});
  expect(await run('edit')).toMatchObject({exitCode: 2});
});

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openFolderTrust} from '../../../../src/window/trust/folder-trust.ts';
import {readProjectSettings} from '../../../../src/settings/project-settings.ts';
import {trustFolder} from '../../../../src/settings/trusted-folders.ts';
import {placeWith, rowsOf} from './config-folder.ts';

describe('acp-tui config list', () => {
  test('shows each value with its source: default, file, environment', async () => {
    const {run, file} = placeWith({
      approve: 'edits',
      agents: {'my.agent': {model: 'large'}},
      sessions: {keepDays: 3},
    });
    const {stdout, exitCode} = await run(['list'], {
      env: {ACP_TUI_THEME: 'light', ACP_TUI_REGISTRY_URL: 'https://r'},
    });
    expect(exitCode).toBe(0);
    expect(rowsOf(stdout)).toEqual([
      ['accessibility.glyphs', '"auto"', 'default'],
      ['accessibility.images', '"auto"', 'default'],
      ['accessibility.reducedMotion', 'false', 'default'],
      ['accessibility.screenReader', 'false', 'default'],
      ['agents."my.agent".model', '"large"', file],
      ['approve', '"edits"', file],
      ['background.enabled', 'false', 'default'],
      ['background.idleHours', '1', 'default'],
      ['editing', '"readline"', 'default'],
      ['limits.sameCall', '8', 'default'],
      ['mouse', 'true', 'default'],
      ['notifications', '"all"', 'default'],
      ['otherCommands', '"ask"', 'default'],
      ['promptSuggestions', 'true', 'default'],
      ['protocol', '"1"', 'default'],
      ['registry.url', '"https://r"', 'environment: ACP_TUI_REGISTRY_URL'],
      ['requireReading', '"commands"', 'default'],
      ['sandbox.enabled', 'false', 'default'],
      ['sandbox.network', '"ask"', 'default'],
      ['sandbox.sockets', '"none"', 'default'],
      ['screen', '"inline"', 'default'],
      ['sessions.keepDays', '3', file],
      ['sessions.maxBytes', '4294967296', 'default'],
      ['sessions.save', 'true', 'default'],
      ['sidePanel', 'true', 'default'],
      ['snapshots.keepDays', '14', 'default'],
      ['snapshots.take', 'true', 'default'],
      ['theme', '"light"', 'environment: ACP_TUI_THEME'],
      ['waitForLimits', 'false', 'default'],
    ]);
  });

  test("shows the project's settings and whether they apply", async () => {
    const {config, cwd, state} = placeWith({});
    writeFileSync(join(cwd, '.acp-tui.json'), '{"permissions":{"deny":["execute rm *"]}}');
    writeFileSync(join(cwd, '.mcp.json'), '{"mcpServers":{"files":{"command":"serve","args":["--all"]}}}');
    const untrusted = rowsOf((await config('list')).stdout);
    expect(untrusted).toContainEqual([
      'permissions.deny',
      '["execute rm *"]',
      `${join(cwd, '.acp-tui.json')} (not trusted: ignored)`,
    ]);
    const book = {useProject: () => {}};
    openFolderTrust({state, folder: cwd, permissions: book, mcp: book, hasUser: true})?.accept();
    expect(rowsOf((await config('list')).stdout)).toContainEqual([
      'mcpServers.files',
      '"serve --all"',
      join(cwd, '.mcp.json'),
    ]);
  });

  test("lists a setting once, with the folder's value if it is trusted, as get prints it", async () => {
    const {config, cwd, state, file} = placeWith({agent: 'mine'});
    writeFileSync(join(cwd, '.acp-tui.json'), '{"agent":"theirs"}');
    const agents = async () => rowsOf((await config('list')).stdout).filter(([name]) => name === 'agent');
    expect(await agents()).toEqual([
      ['agent', '"mine"', file],
      ['agent', '"theirs"', `${join(cwd, '.acp-tui.json')} (not trusted: ignored)`],
    ]);
    expect((await config('get', 'agent')).stdout).toBe('mine\n');
    trustFolder(state, cwd, readProjectSettings(cwd)?.hash ?? '');
    expect(await agents()).toEqual([['agent', '"theirs"', join(cwd, '.acp-tui.json')]]);
    expect((await config('get', 'agent')).stdout).toBe('theirs\n');
  });

  test('masks credentials by default and shows variable references', async () => {
    const {config} = placeWith({
      agents: {mine: {env: {PLAIN: 'hunter2'}, options: {apiKey: 'hunter3'}}},
      mcpServers: {a: {url: 'https://a', headers: {X: 'hunter4', Y: '${TOKEN}'}}},
    });
    const masked = (await config('list')).stdout;
    expect(masked).not.toMatch(/hunter/);
    expect(masked).toContain('"${TOKEN}"');
    expect((await config('get', 'agents')).stdout).not.toMatch(/hunter/);
    expect((await config('get', 'agents.mine.env.PLAIN')).stdout).toBe('[masked]\n');
    expect((await config('list', '--with-secrets')).stdout).toMatch(/hunter2[^]*hunter3[^]*hunter4/);
  });

  test('warns of unusable settings, and prints JSON as it is in the file', async () => {
    const {config} = placeWith({theme: 7, keys: {undo: 7, redo: 'ctrl+y'}});
    const {stdout, stderr} = await config();
    expect(stderr).toMatch(/warning: "theme" in .* must be the name of a theme: .*, not 7[^]*"keys\.undo"/);
    expect(rowsOf(stdout)).toContainEqual(['keys.redo', '"ctrl+y"', expect.any(String)]);
    const asJson = JSON.parse((await config('list', '--json')).stdout) as object;
    expect(asJson).toMatchObject({v: 1, problems: [expect.any(String), expect.any(String)]});
    expect(asJson).toHaveProperty('settings.4', {name: 'approve', value: 'none', source: {kind: 'default'}});
  });

  test('warns of a group that is none, and of a command beside a list; what else is set counts', async () => {
    const {config} = placeWith({
      accessibility: true,
      glyphs: 'ascii',
      statusCommand: 'mine',
      statusLine: ['agent'],
    });
    const {stdout, stderr} = await config('list');
    expect(stderr).toMatch(/"accessibility" in .* must be an object with .*, not true; it is ignored\./);
    expect(stderr).toMatch(
      /"statusCommand" in .* is an earlier name of "statusLine\.command", and "statusLine" is set, too; it is ignored\./,
    );
    expect(rowsOf(stdout)).toContainEqual(['accessibility.glyphs', '"ascii"', expect.any(String)]);
    expect(rowsOf(stdout)).toContainEqual(['statusLine', '["agent"]', expect.any(String)]);
  });

  test('names a setting that is wrong as the file does', async () => {
    const {config} = placeWith({statusCommand: 7});
    expect((await config('list')).stderr).toMatch(/"statusCommand" in .* must be a list of /);
  });

  test('prints no control characters', async () => {
    const {run} = placeWith({
      agent: 'a\u001b[2J\u202e',
      mcpServers: {'x\u001b]0;t\u0007': {command: 'c'}},
    });
    for (const args of [['list'], ['list', '--json'], ['get', 'agent'], ['get', 'mcpServers']])
      expect((await run(args, {columns: 200})).stdout).not.toMatch(/[\u001b\u202e]/);
  });
});

describe('acp-tui config get', () => {
  test.each([
    ['theme', 'auto\n'],
    ['sessions.save', 'true\n'],
    ['sessions.keepDays', '3\n'],
    ['keys', '{\n  "undo": [\n    "ctrl+z"\n  ]\n}\n'],
  ])('prints %s as %j', async (name, stdout) => {
    const {config} = placeWith({sessions: {keepDays: 3}, keys: {undo: ['ctrl+z']}});
    expect(await config('get', name)).toEqual({exitCode: 0, stdout, stderr: ''});
  });

  test('prints no agent when none is set', async () => {
    expect((await placeWith({agent: 'yours'}).config('get', 'agent')).stdout).toBe('yours\n');
    expect(await placeWith({lastAgent: 'mine'}).config('get', 'agent')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'acp-tui: agent is not set.\n',
    });
  });

  test('fills in the defaults of an object', async () => {
    const {config} = placeWith({sessions: {keepDays: 3}});
    expect(JSON.parse((await config('get', 'sessions')).stdout)).toEqual({
      keepDays: 3,
      save: true,
      maxBytes: 2 ** 32,
    });
  });

  test('exits with 1 for an unset key and with 2 for an unknown one', async () => {
    const {config} = placeWith();
    expect(await config('get', 'sessions.keepDays')).toMatchObject({exitCode: 1, stdout: ''});
    expect(await config('get', 'thme')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/Unknown setting "thme"\. Did you mean theme\?/),
    });
    expect(await config('get', 'quux')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/Unknown setting "quux"\. Settings: agent, .*theme/),
    });
    expect(await config('get', 'a..b')).toMatchObject({exitCode: 2});
  });

  test('knows a setting by its earlier name, and prints a group', async () => {
    const {config} = placeWith({sandbox: 'on', sandboxFolders: ['~/a'], agents: {x: {network: 'none'}}});
    expect(JSON.parse((await config('get', 'sandboxFolders')).stdout)).toEqual(['~/a']);
    expect((await config('get', 'agents.x.network')).stdout).toBe('none\n');
    expect((await config('get', 'sandbox.enabled')).stdout).toBe('true\n');
    expect(JSON.parse((await config('get', 'sandbox')).stdout)).toEqual({
      enabled: true,
      folders: ['~/a'],
      network: 'ask',
      sockets: 'none',
    });
  });
});

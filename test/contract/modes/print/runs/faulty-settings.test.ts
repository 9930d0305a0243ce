import {mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';
import {readProjectSettings} from '../../../../../src/settings/project-settings.ts';
import {trustFolder} from '../../../../../src/settings/trusted-folders.ts';
import {openFolderTrust} from '../../../../../src/window/trust/folder-trust.ts';
import {agentOption, runHere} from '../../../../support/program/run-program.ts';

/* What protects and cannot be read ends the run before an agent starts. */

function homeWith(config: string) {
  const folder = temporaryFolder();
  for (const name of ['config', 'work']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'config/config.json'), config);
  const [ACP_TUI_CONFIG_DIR, ACP_TUI_STATE_DIR] = [join(folder, 'config'), join(folder, 'state')];
  return {folder, env: {ACP_TUI_CONFIG_DIR, ACP_TUI_STATE_DIR}, cwd: join(folder, 'work')};
}

const FAULTS: readonly (readonly [config: string, named: string])[] = [
  ['{\n  "sandbox": "on"\n  "theme": "dark"\n}', 'config.json, line 3'],
  ['{\n  "sandbox": "on",\n}', 'config.json, line 3'],
  ['{"sandbox":', 'config.json, line 1'],
  [
    '{\n  "background": {"enabled": true},\n  "sandbox": {\n    "enabled": "maybe"\n  }\n}',
    'config.json, line 4',
  ],
  ['{"agents": {"a": {"mode": false}}}', '"agents.a.mode" in'],
  ['{"agents": {"a": {"options": {"mode": "read-only", "effort": 5}}}}', '"agents.a.options.effort" in'],
  ['{"agents": {"a": {"options": []}}}', '"agents.a.options" in'],
  ['{"sessions": {"save": "no"}}', '"sessions.save" in'],
  ['{"snapshots": {"take": "no"}}', '"snapshots.take" in'],
  ['{"sessions": "no"}', '"sessions" in'],
  ['{"sessions": {"sav": false}}', 'Did you mean "sessions.save"?'],
  ['{"agents": {"my.agent": {"sandboxHidden": 5}}}', 'sandboxHidden" in'],
  ['{\n  "sandbox": "on",\n  "sandbox": "off"\n}', 'config.json, line 3'],
  ['{"permissions": {"deny": ["any **"]}, "\\u0070ermissions": {}}', 'more than one "permissions"'],
  ['{"agents": {"a": {"sandbox": "on"}, "a": {"command": "x"}}}', 'more than one "a"'],
  ['{\n  "sandbx": "on"\n}', 'line 2, is not a setting'],
  ['{"sandbx": "on"}', 'Did you mean "sandbox"?'],
  ['{"sandbox": "yes"}', '"sandbox" in'],
  ['{"network": 1}', '"network" in'],
  ['{"sandbox": "yes, please"}', 'must be true or false, not "yes, please"'],
  ['{"sandbox": 1}', '"sandbox" in'],
  ['{"sandbox": null}', '"sandbox" in'],
  ['{"sandbox": []}', '"sandbox" in'],
  ['{"sandbox": {"enabled": "yes"}}', '"sandbox.enabled" in'],
  ['{"sandbox": {"network": 1}}', '"sandbox.network" in'],
  ['{"sandbox": {"hidden": ".env"}}', '"sandbox.hidden" in'],
  ['{"sandbox": {"folders": ["x"]}}', '"sandbox.folders" in'],
  ['{"sandbox": {"sockets": true}}', '"sandbox.sockets" in'],
  ['{"sandbox": {"hosts": {}}}', '"sandbox.hosts" in'],
  ['{"sandbox": {"enable": true}}', 'Did you mean "sandbox.enabled"?'],
  ['{"sandboxHidden": ".env"}', '"sandboxHidden" in'],
  ['{"sandboxFolders": "x"}', '"sandboxFolders" in'],
  ['{"sandboxSockets": "no"}', '"sandboxSockets" in'],
  ['{"networkHosts": "x"}', '"networkHosts" in'],
  ['{"sandbox": {"hidden": []}, "sandboxHidden": [".env"]}', '"sandboxHidden" in'],
  ['{"sandboxHidden": [".env"], "sandbox": {"hidden": []}}', 'is an earlier name of "sandbox.hidden"'],
  ['{"agents": {"a": {"sandbox": {"enabled": 1}}}}', '"agents.a.sandbox.enabled" in'],
  ['{"agents": {"a": {"sandbox": {"x": 1}}}}', '"agents.a.sandbox.x" in'],
  ['{"agents": {"a": {"sandbox": 1}}}', '"agents.a.sandbox" in'],
  ['{"agents": {"a": {"networkHosts": 1}}}', '"agents.a.networkHosts" in'],
  ['{"agents": {"a": {"network": "none", "sandbox": {"network": "open"}}}}', '"agents.a.network" in'],
  ['{"agents": {"a": {"glyphs": "ascii"}}}', '"agents.a.glyphs" in'],
  ['{"limits": {"turnCost": "x"}}', '"limits.turnCost" in'],
  ['{"approve": "non"}', '"approve" in'],
  ['{"requireReading": "al"}', '"requireReading" in'],
  ['{"permissions": []}', '"permissions" in'],
  ['{"permissions": {"deny": "execute rm*"}}', '"permissions.deny" in'],
  ['{"permissions": {"denny": ["execute rm*"]}}', '"permissions.denny" in'],
  ['{"permissions": {"deny": [7]}}', '"permissions.deny[0]" in'],
  ['{"hooks": {"PreToolUse": []}}', '"hooks.PreToolUse" in'],
  ['{"hooks": {"PermissionRequest": "x"}}', '"hooks.PermissionRequest" in'],
  ['{"agents": {"a": {"sandbx": "on"}}}', '"agents.a.sandbx" in'],
  ['{"agents": {"a": {"approve": "x"}}}', '"agents.a.approve" in'],
  ['{"agents": {"a": "b"}}', '"agents.a" in'],
  ['{"agents": {"a": {"permissions": {"denny": []}}}}', '"agents.a.permissions.denny" in'],
];

describe('a fault in the settings', () => {
  test.each(FAULTS)('%j ends the run with 2, named', async (config, named) => {
    const {env, cwd} = homeWith(config);
    const run = await runHere(['-p', 'hello', agentOption('echo')], {env, cwd});
    expect(run).toMatchObject({exitCode: 2, stdout: ''});
    expect(run.stderr).toContain(named);
    expect(run.stderr).toContain('no agent starts until it is corrected');
  });

  test('is no name that other objects have, too, nor one in a text', async () => {
    const {env, cwd} = homeWith(
      '{"agents": {"a": {"approve": "none"}, "b": {"approve": "none"}}, "theme": "{\\"theme\\": 1"}',
    );
    expect(await runHere(['-p', 'hi', agentOption('echo')], {env, cwd})).toMatchObject({exitCode: 0});
  });

  test('ends acp and serve, too', async () => {
    const {env, cwd} = homeWith('{"sandbx": "on"}');
    for (const args of [['acp'], ['serve', agentOption('echo')]])
      expect(await runHere(args, {env, cwd})).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('"sandbx"') as string,
      });
  });

  test('is a variable of the environment, or a link to nothing, too', async () => {
    const {env, cwd, folder} = homeWith('{}');
    const run = (given: object) => runHere(['-p', 'x', agentOption('echo')], {env: {...env, ...given}, cwd});
    expect(await run({ACP_TUI_APPROVE: 'non'})).toMatchObject({exitCode: 2, stdout: ''});
    mkdirSync(join(folder, 'linked'));
    symlinkSync(join(folder, 'nothing'), join(folder, 'linked/config.json'));
    symlinkSync(join(folder, 'nothing'), join(folder, 'unmounted'));
    for (const name of ['linked', 'unmounted', 'unmounted/acp-tui'])
      expect(await run({ACP_TUI_CONFIG_DIR: join(folder, name)})).toMatchObject({exitCode: 2, stdout: ''});
  });

  test('is nothing that does not protect', async () => {
    const {env, cwd} = homeWith('{"theme": "pink", "mouse": 3, "sessions": {"keepDays": "x"}}');
    const run = await runHere(['-p', 'hello', agentOption('echo')], {env, cwd});
    expect(run).toMatchObject({exitCode: 0, stdout: 'hello\n'});
  });

  test('is no value of before that protected less than the default', async () => {
    const {env, cwd} = homeWith('{"requireReading": "none"}');
    const run = await runHere(['-p', 'hello', agentOption('echo')], {env, cwd});
    expect(run).toMatchObject({exitCode: 0, stdout: 'hello\n'});
    expect(run.stderr).toContain('must be all or commands, not "none"; it is ignored. The default applies.');
  });

  test.each([
    'a byte order mark and a schema: \ufeff{"approve": "none", "$schema": "x"}',
    'false for off: {"sandbox": false, "images": false, "background": false, "agents": {"a": {"sandbox": true}}}',
  ])('is not %j', async (named) => {
    const {env, cwd} = homeWith(named.slice(named.indexOf(': ') + 2));
    const servers = join(cwd, 'servers.json');
    writeFileSync(servers, '\ufeff{"mcpServers": {}}');
    const args = ['-p', 'hello', '--mcp-config', servers, agentOption('echo')];
    expect(await runHere(args, {env, cwd})).toEqual({exitCode: 0, stdout: 'hello\n', stderr: ''});
  });

  test('of a folder counts once the folder was trusted', async () => {
    const {env, cwd} = homeWith('{}');
    writeFileSync(join(cwd, '.acp-tui.json'), '{"sandbox": "on",}');
    const run = () => runHere(['-p', 'hello', agentOption('echo')], {env, cwd});
    expect(await run()).toMatchObject({exitCode: 0});
    writeFileSync(join(env.ACP_TUI_STATE_DIR, 'trusted-folders.json'), JSON.stringify({[cwd]: 'earlier'}));
    expect(await run()).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('.acp-tui.json, line 1') as string,
    });
    rmSync(join(cwd, '.acp-tui.json'));
    symlinkSync('nothing', join(cwd, '.acp-tui.json'));
    expect(await run()).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('.acp-tui.json cannot be read (its target') as string,
    });
  });
});

describe('settings of a folder that were trusted', () => {
  function trusted() {
    const home = homeWith('{}');
    const {env, cwd} = home;
    const {ACP_TUI_STATE_DIR: state} = env;
    writeFileSync(join(cwd, '.acp-tui.json'), '{"permissions": {"deny": ["execute npm test*"]}}');
    trustFolder(state, cwd, readProjectSettings(cwd)?.hash ?? '');
    return {...home, state};
  }

  const CHANGES: readonly (readonly [name: string, change: (cwd: string) => void, named: RegExp])[] = [
    [
      'have changed',
      (cwd) => writeFileSync(join(cwd, '.acp-tui.json'), '{}'),
      /have changed since.*Accept them in a window that is started there, or put .* back as it was; no agent/,
    ],
    ['have got a file more', (cwd) => writeFileSync(join(cwd, '.mcp.json'), '{}'), /have changed since/],
    ['are gone', (cwd) => rmSync(join(cwd, '.acp-tui.json')), /are gone\. A window/],
  ];

  test.each(CHANGES)('and %s start nothing where no window asks', async (_name, change, named) => {
    const {env, cwd, folder} = trusted();
    expect(await runHere(['-p', 'hello', agentOption('echo')], {env, cwd})).toMatchObject({exitCode: 0});
    change(cwd);
    for (const args of [
      ['-p', 'hello'],
      ['-b', 'hello'],
      ['serve', '--cwd', cwd],
    ])
      expect(await runHere([...args, agentOption('echo')], {env, cwd})).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringMatching(named) as string,
      });
    const elsewhere = {env, cwd: folder};
    expect(await runHere(['-p', 'hello', agentOption('echo')], elsewhere)).toMatchObject({exitCode: 0});
  });

  test('run again after "Not now" as soon as they are as they were, or accepted', async () => {
    const {env, cwd, state} = trusted();
    const run = async () => (await runHere(['-p', 'hello', agentOption('echo')], {env, cwd})).exitCode;
    const file = join(cwd, '.acp-tui.json');
    const before = readFileSync(file);
    writeFileSync(file, '{}');
    const book = {useProject: () => {}};
    const open = () =>
      openFolderTrust({state, folder: cwd, permissions: book, mcp: book, hasUser: true, isWindow: true});
    open()?.decline();
    expect(await run()).toBe(2);
    writeFileSync(file, before);
    expect(await run()).toBe(0);
    writeFileSync(file, '{}');
    open()?.accept();
    expect(await run()).toBe(0);
  });

  test('start nothing, either, if it is unknown what was trusted', async () => {
    const {env, cwd, state, folder} = trusted();
    writeFileSync(join(state, 'trusted-folders.json'), '{');
    expect(await runHere(['-p', 'hello', agentOption('echo')], {env, cwd})).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('trusted-folders.json cannot be read') as string,
    });
    const elsewhere = {env, cwd: folder};
    expect(await runHere(['-p', 'hello', agentOption('echo')], elsewhere)).toMatchObject({exitCode: 0});
  });
});

import {lstatSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findPaths} from '../../../src/shared/files/paths.ts';
import {changeAt, readSettings} from '../../../src/settings/settings.ts';
import {problemTexts} from '../../../src/settings/setting-problems.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

function folderWith(config: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.json'), config);
  return folder;
}

describe('settings', () => {
  test('are empty without a file', () => {
    expect(readSettings(temporaryFolder(), {})).toMatchObject({settings: {}, rules: [], problems: []});
  });

  test('come from the file, and variables override them', () => {
    const folder = folderWith('{"agent":"demo","approve":"reads","theme":"light"}');
    expect(readSettings(folder, {ACP_TUI_APPROVE: 'all', ACP_TUI_AGENT: ''})).toEqual({
      fromEnvironment: new Set(['approve']),
      settings: {agent: 'demo', approve: 'all', theme: 'light'},
      rules: [],
      hooks: [],
      problems: [],
    });
  });

  test.each([
    [
      'a wrong value',
      '{"approve":"most","theme":"dark"}',
      /"approve" in .*config\.json.*none, reads.*"most"/,
    ],
    ['a wrong type', '{"agent":7,"theme":"dark"}', /"agent" in .*config\.json.*7/],
    ['an unknown setting', '{"thme":"light","theme":"dark"}', /"thme" in .*config\.json is not a setting/],
  ])('with %s are named with what is allowed, and the others are used', (_name, config, problem) => {
    const read = readSettings(folderWith(config), {});
    expect(read.settings).toEqual({theme: 'dark'});
    expect(problemTexts(read.problems)).toEqual([expect.stringMatching(problem)]);
  });

  test('with one wrong key lose only that key', () => {
    const read = readSettings(folderWith('{"keys":{"undo":["ctrl+u"],"redo":7,"suspend":null}}'), {});
    expect(read.settings).toEqual({keys: {undo: ['ctrl+u'], suspend: null}});
    expect(problemTexts(read.problems)).toEqual([
      expect.stringMatching(/^"keys\.redo" in .*config\.json must be a key, a list of keys, or null, not 7/),
    ]);
  });

  test('with one wrong MCP server lose only that server, and its secrets are not shown', () => {
    const wrong = {command: 7, env: {TOKEN: 'hunter2'}};
    const config = JSON.stringify({mcpServers: {good: {command: 'a'}, wrong}});
    const read = readSettings(folderWith(config), {});
    expect(read.settings).toEqual({mcpServers: {good: {command: 'a'}}});
    expect(problemTexts(read.problems)).toEqual([
      expect.stringMatching(/^"mcpServers\.wrong" in .* must be an object with/),
    ]);
    expect(problemTexts(read.problems).join()).not.toContain('hunter2');
  });

  test.each([
    ['broken JSON', '{"theme":'],
    ['no object', '[1]'],
  ])('a file with %s is reported and unchanged', async (_name, config) => {
    const folder = folderWith(config);
    expect(readSettings(folder, {})).toMatchObject({
      settings: {},
      rules: [],
      problems: [{file: expect.stringContaining('config.json') as string, protects: true}],
    });
  });

  test('a broken file is not overwritten by a change', async () => {
    const folder = folderWith('{"theme":');
    expect(await changeAt(folder, ['agent'], 'demo')).toMatchObject({
      ok: false,
      failure: {kind: 'file'},
    });
    expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe('{"theme":');
  });

  test('of earlier versions are no mistake: lastAgent', () => {
    const read = readSettings(folderWith('{"lastAgent":"claude","theme":"light"}'), {});
    expect(read).toMatchObject({settings: {theme: 'light'}, problems: []});
    expect(read.settings).not.toHaveProperty('lastAgent');
  });

  test('in a file elsewhere, behind a link, are changed there', async () => {
    const elsewhere = folderWith('{"theme":"light"}');
    const folder = temporaryFolder();
    symlinkSync(join(elsewhere, 'config.json'), join(folder, 'config.json'));
    expect(await changeAt(folder, ['theme'], 'dark')).toMatchObject({ok: true});
    expect(lstatSync(join(folder, 'config.json')).isSymbolicLink()).toBe(true);
    expect(readSettings(elsewhere, {}).settings).toEqual({theme: 'dark'});
  });

  test('a wrong variable is named', () => {
    const read = readSettings(temporaryFolder(), {ACP_TUI_APPROVE: 'yes'});
    expect(problemTexts(read.problems)).toEqual([
      expect.stringMatching(/^ACP_TUI_APPROVE must be none, reads/),
    ]);
  });

  test('change one at a time, in a private file', async () => {
    const folder = join(temporaryFolder(), 'new', 'config');
    expect(await changeAt(folder, ['agent'], 'demo')).toEqual({ok: true, value: undefined});
    await changeAt(folder, ['theme'], 'light');
    expect(readSettings(folder, {}).settings).toEqual({agent: 'demo', theme: 'light'});
    expect((statSync(join(folder, 'config.json')).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
  });
});

test('folders can be moved by variables', () => {
  const variables = {
    ACP_TUI_CONFIG_DIR: '/c',
    ACP_TUI_STATE_DIR: '/s',
    ACP_TUI_DATA_DIR: '/d',
    ACP_TUI_CACHE_DIR: '/h',
  };
  expect(findPaths(variables)).toEqual({config: '/c', state: '/s', data: '/d', cache: '/h'});
  expect(findPaths({}).config).toMatch(/acp-tui$/);
});

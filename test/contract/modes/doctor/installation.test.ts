import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {checkEnvironment} from '../../../../src/modes/doctor/installation.ts';
import {databaseFile, openDatabase} from '../../../../src/storage/database/database.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

/** The findings for an installation with these folders. */
async function reported(
  folders: {readonly config: string; readonly state: string},
  env: NodeJS.ProcessEnv = {},
) {
  const all = await checkEnvironment({
    ACP_TUI_CONFIG_DIR: folders.config,
    ACP_TUI_STATE_DIR: folders.state,
    TERM: 'xterm',
    ...env,
  });
  return (id: string) => {
    const {value, ok} = all.find((one) => one.id === id) ?? {value: 'not told', ok: false};
    return {value, ok};
  };
}

describe('this installation', () => {
  test('is healthy before first use, and nothing is created', async () => {
    const folder = temporaryFolder();
    const of = await reported({config: join(folder, 'c/d'), state: join(folder, 's')});
    expect(of('config')).toEqual({value: expect.stringContaining('created when needed'), ok: true});
    expect(of('database')).toEqual({value: 'none yet', ok: true});
    expect(of('settings')).toEqual({value: 'none', ok: true});
    expect(of('node').value).toContain(process.version);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('has a healthy database', async () => {
    const state = temporaryFolder();
    const database = openDatabase(state, {onDamaged: () => {}});
    database.use((sql) => sql.get('SELECT 1'));
    database.close();
    expect((await reported({config: state, state}))('database')).toEqual({value: 'ok', ok: true});
  });

  test('has a damaged one, which is left unchanged', async () => {
    const state = temporaryFolder();
    writeFileSync(databaseFile(state), 'no database at all '.repeat(100));
    const of = await reported({config: state, state});
    expect(of('database')).toEqual({value: expect.stringContaining('not a database'), ok: false});
    expect(readFileSync(databaseFile(state), 'utf8')).toContain('no database at all');
  });

  test('has settings with problems, each reported', async () => {
    const config = temporaryFolder();
    writeFileSync(join(config, 'config.json'), '{"approve": "perhaps", "color": 1}');
    const {value, ok} = (await reported({config, state: config}))('settings');
    expect(ok).toBe(false);
    expect(value).toMatch(/"approve".*must be none, reads, edits or all/);
    expect(value).toContain('"color"');
  });

  test('has a folder that cannot be one', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'state'));
    const of = await reported({config: join(folder, 'file/below'), state: join(folder, 'state')});
    expect(of('config').ok).toBe(false);
    expect(of('state')).toEqual({value: join(folder, 'state'), ok: true});
  });

  test.each([
    [{TERM: 'screen', TMUX: '/tmp/x', SSH_CONNECTION: 'a b'}, /TERM=screen.*in tmux, over SSH/],
    [
      {COLORTERM: 'truecolor', TERM_PROGRAM: 'WezTerm', LANG: 'de_DE.UTF-8'},
      /^WezTerm, TERM=xterm, COLORTERM=truecolor, not standard output$/,
    ],
    [{LANG: 'C'}, /the locale is not UTF-8/],
  ])('runs in a terminal with %j', async (env, expected) => {
    const folder = temporaryFolder();
    expect((await reported({config: folder, state: folder}, env))('terminal').value).toMatch(expected);
  });
});

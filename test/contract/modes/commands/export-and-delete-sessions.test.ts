import {readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {storeIn, valueOf} from '../../storage/stores.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {sessions} from './context.ts';
import {storeWith} from './stored.ts';

describe('export and import', () => {
  test('writes a private file with the extension of its format and replaces none', async () => {
    const folder = temporaryFolder();
    const {store, ids} = storeWith(folder, {said: [['Hi', 'Hello.']]});
    const file = join(folder, 'session.html');
    const argv = ['export', ids[0] ?? '', '-o', file];
    expect(await sessions(store, argv)).toMatchObject({exitCode: 0, stdout: ''});
    expect(await readFile(file, 'utf8')).toMatch(/^<!doctype html>/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await sessions(store, argv);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toContain(file);
  });

  test('rejects a file in a folder that does not exist', async () => {
    const folder = temporaryFolder();
    const {store, ids} = storeWith(folder, {said: [['Hi', 'Hello.']]});
    const {stderr} = await sessions(store, ['export', ids[0] ?? '', '-o', join(folder, 'no', 'x.md')]);
    expect(stderr).toBe(`acp-tui: Cannot use "${join(folder, 'no')}". No such folder.\n`);
  });

  test('an export as JSON is listed, shown and found after the import', async () => {
    const folder = temporaryFolder();
    const {store, ids} = storeWith(folder, {
      said: [['About whales', 'The whale is a **mammal**.']],
      agent: 'codex',
    });
    const file = join(folder, 'session.json');
    await sessions(store, ['export', ids[0] ?? '', '-o', file]);
    const other = storeIn(temporaryFolder());
    const {stdout} = await sessions(other, ['import', file]);
    const id = stdout.trim();
    expect((await sessions(other, ['list'])).stdout).toMatch(
      new RegExp(`^${id} .* codex .* About whales\n$`),
    );
    const shown = await sessions(other, ['show', id]);
    expect(shown.stdout).toContain('The whale is a **mammal**.');
    expect((await sessions(other, ['search', 'mammal'])).stdout).toContain(id);
    expect(valueOf(other.find(id))).toMatchObject({status: 'closed', agentSessionId: undefined});
  });

  test('rejects a file that is no export', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'other.json');
    await writeFile(file, '{}');
    const {exitCode, stderr} = await sessions(storeIn(folder), ['import', file]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('It is not an exported session');
  });
});

describe('delete', () => {
  test('asks first, keeps what is not confirmed, and can be undone', async () => {
    const {store, ids} = storeWith(temporaryFolder(), {said: [['Hi', 'Hello.']]});
    const [id = ''] = ids;
    expect(await sessions(store, ['delete', id])).toMatchObject({exitCode: 2});
    const confirm = vi.fn<(question: string) => Promise<boolean>>(async () => false);
    expect((await sessions(store, ['delete', id], {confirm})).stderr).toContain('Nothing deleted.');
    expect(confirm).toHaveBeenCalledExactlyOnceWith('Delete this session? [y/N] ');
    expect((await sessions(store, ['list'])).stdout).toContain(id);
    expect((await sessions(store, ['delete', '--yes', id])).stderr).toContain(
      `acp-tui sessions restore ${id}`,
    );
    expect((await sessions(store, ['list'])).stdout).toBe('');
    expect((await sessions(store, ['list', '--deleted'])).stdout).toContain(id);
    expect(await sessions(store, ['restore', id.slice(0, 5)])).toMatchObject({exitCode: 0});
    expect((await sessions(store, ['list'])).stdout).toContain(id);
    expect((await sessions(store, ['restore', id])).stderr).toBe(
      'acp-tui: Cannot restore this session. It is not deleted.\n',
    );
  });

  test('deletes nothing when one of several sessions does not exist', async () => {
    const {store, ids} = storeWith(temporaryFolder(), {said: [['Hi', 'Hello.']]});
    expect(await sessions(store, ['delete', '--yes', ids[0] ?? '', 'zz'])).toMatchObject({exitCode: 4});
    expect((await sessions(store, ['list'])).stdout).toContain(ids[0]);
  });
});

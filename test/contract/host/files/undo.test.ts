import {
  chmod,
  link,
  lstat,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {openFolder} from '../../../../src/host/files/folder.ts';
import {writeFile as writeHostFile} from '../../../../src/host/files/write-file.ts';
import type {ChangesService, Host} from '../../../../src/host/services.ts';
import {never, useHosts} from '../hosts.ts';

const {sandbox, setUp, at} = useHosts();
const read = (name: string) => readFile(at(name), 'utf8');

/** A host that keeps what it writes, and whose policy allows every write. */
function keeping() {
  const {host} = setUp({approval: 'edits', changesFolder: `${sandbox.outside}/state`});
  return {host, changes: host.changes as ChangesService, write: writer(host)};
}

function writer(host: Host) {
  return async (name: string, content: string) => {
    const answer = await host.write({sessionId: 's', path: at(name), content}, never);
    if (!answer.ok) throw new Error(answer.message);
  };
}

describe('undo', () => {
  test('restores files and deletes created ones, newest turn first', async () => {
    const {host, changes, write} = keeping();
    await writeFile(at('old'), 'zero');
    host.turnStarted(1);
    await write('old', 'one');
    host.turnStarted(2);
    await write('old', 'two');
    await write('old', 'three');
    await write('new/file', 'text');
    const files = [
      {path: at('old'), does: 'restore'},
      {path: at('new/file'), does: 'delete'},
    ];
    expect(await changes.plan()).toEqual({turn: 2, files});
    expect(await changes.undo(2)).toEqual(files);
    expect(await read('old')).toBe('one');
    expect(await readdir(at('new'))).toEqual([]);
    expect(await changes.plan()).toEqual({turn: 1, files: [files[0]]});
    await changes.undo(1);
    expect(await read('old')).toBe('zero');
    expect(await changes.plan()).toBeUndefined();
    expect(await changes.undo(1)).toEqual([]);
  });

  test('restores every byte: line ends, byte order mark, empty files, binary content', async () => {
    const {host, changes, write} = keeping();
    const contents = {
      crlf: Buffer.from('one\r\ntwo\r\n'),
      bom: Buffer.from('\uFEFFone\n'),
      empty: Buffer.alloc(0),
      binary: Buffer.from([0, 0xff, 0x80, 0x0a]),
      large: Buffer.alloc(12 * 1024 * 1024, 'x'),
    };
    for (const [name, bytes] of Object.entries(contents)) await writeFile(at(name), bytes);
    host.turnStarted(1);
    for (const name of Object.keys(contents)) await write(name, name === 'crlf' ? '' : 'a\0b\ud800');
    const undone = await changes.undo(1);
    expect(undone.filter(({refused}) => refused !== undefined)).toEqual([]);
    for (const [name, bytes] of Object.entries(contents))
      expect(bytes.equals(await readFile(at(name)))).toBe(true);
  });

  test('keeps mode, hard links and links inside the workspace', async () => {
    const {changes, write} = keeping();
    await writeFile(at('run.sh'), 'old');
    await chmod(at('run.sh'), 0o751);
    await writeFile(at('one'), 'old');
    await link(at('one'), at('other'));
    await writeFile(at('target'), 'old');
    await symlink('target', at('link'));
    for (const name of ['run.sh', 'one', 'link']) await write(name, 'new');
    await changes.undo(0);
    expect((await stat(at('run.sh'))).mode & 0o777).toBe(0o751);
    expect(await read('other')).toBe('old');
    expect((await lstat(at('link'))).isSymbolicLink()).toBe(true);
    expect(await read('target')).toBe('old');
    expect((await readdir(sandbox.root)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('skips and reports a file that has changed since, is gone, or became something else', async () => {
    const {changes, write} = keeping();
    for (const name of ['changed', 'longer', 'gone', 'folder', 'fine'])
      await writeFile(at(name), `old ${name}`);
    for (const name of ['changed', 'longer', 'gone', 'folder', 'fine', 'new']) await write(name, 'agent');
    await writeFile(at('changed'), 'users');
    await writeFile(at('longer'), 'agent and user');
    await rm(at('gone'));
    await rm(at('folder'));
    await mkdir(at('folder'));
    await writeFile(at('new'), 'users');
    const refusals = Object.fromEntries(
      (await changes.undo(0)).map(({path, refused}) => [path.slice(sandbox.root.length + 1), refused]),
    );
    expect(refusals).toEqual({
      changed: 'it has changed since',
      longer: 'it has changed since',
      gone: 'it no longer exists',
      folder: expect.stringContaining('a folder'),
      fine: undefined,
      new: 'it has changed since',
    });
    expect(await read('changed')).toBe('users');
    expect(await read('longer')).toBe('agent and user');
    expect(await read('new')).toBe('users');
    expect(await read('fine')).toBe('old fine');
  });

  test('keeps what others wrote between two writes of a turn', async () => {
    const {changes, write} = keeping();
    await writeFile(at('a'), 'old');
    await write('a', 'agent');
    await writeFile(at('a'), 'agent and user');
    await write('a', 'agent again');
    const [file] = await changes.undo(0);
    expect(file?.refused).toContain('something else changed it');
    expect(await read('a')).toBe('agent again');
  });

  test('continues with an older turn if nothing of the newest can be undone', async () => {
    const {host, changes, write} = keeping();
    host.turnStarted(1);
    await write('a', 'one');
    host.turnStarted(2);
    await write('b', 'two');
    await writeFile(at('b'), 'users');
    expect(await changes.plan()).toMatchObject({turn: 1});
    await changes.undo(1);
    expect(await changes.plan()).toEqual({
      turn: 2,
      files: [{path: at('b'), does: 'delete', refused: 'it has changed since'}],
    });
    await writeFile(at('b'), 'two');
    expect((await changes.plan())?.files[0]?.refused).toBeUndefined();
  });

  test('omits a file that a turn wrote back to its old content', async () => {
    const {changes, write} = keeping();
    await writeFile(at('a'), 'old');
    await write('a', 'new');
    await write('a', 'old');
    expect(changes.list()).toEqual([]);
    expect(await changes.plan()).toBeUndefined();
  });

  test('follows no link put in place of the file or its folder', async () => {
    const {changes, write} = keeping();
    await writeFile(`${sandbox.outside}/file`, 'agent');
    await mkdir(at('dir'));
    await write('dir/file', 'agent');
    await write('file', 'agent');
    await rename(at('dir'), at('away'));
    await symlink(sandbox.outside, at('dir'));
    await rm(at('file'));
    await symlink('away/file', at('file'));
    const undone = await changes.undo(0);
    expect(undone.map(({refused}) => refused !== undefined)).toEqual([true, true]);
    expect(await readFile(`${sandbox.outside}/file`, 'utf8')).toBe('agent');
    expect(await read('away/file')).toBe('agent');
  });

  test('loses no write in progress', async () => {
    const {changes, write} = keeping();
    const late = 'late'.repeat(1_000_000);
    for (let round = 0; round < 10; round += 1) {
      await writeFile(at(`${round}`), 'old');
      await write(`${round}`, 'one');
      await Promise.all(
        round % 2 ? [changes.undo(0), write(`${round}`, late)] : [write(`${round}`, late), changes.undo(0)],
      );
      expect(await read(`${round}`)).toBe(late);
      await changes.undo(0);
      expect(await read(`${round}`)).toBe('old');
    }
  });

  test('makes its last check right before the file changes, and leaves nothing behind if it fails', async () => {
    await writeFile(at('plain'), 'old');
    await writeFile(at('linked'), 'old');
    await link(at('linked'), at('other'));
    const folder = await openFolder(sandbox.root, []);
    for (const name of ['plain', 'linked']) {
      const check = async () => {
        expect(await read(name)).toBe('old');
        throw new Error('changed in the last moment');
      };
      const target = {folder, name, path: at(name)};
      await expect(writeHostFile(target, Buffer.from('new'), check)).rejects.toThrow('last moment');
      expect(await read(name)).toBe('old');
    }
    await folder.close();
    expect((await readdir(sandbox.root)).toSorted()).toEqual(['linked', 'other', 'plain']);
  });

  test('keeps contents private and leaves no file behind', async () => {
    const {changes, write} = keeping();
    await write('a', 'secret');
    const state = `${sandbox.outside}/state`;
    expect((await stat(state)).mode & 0o777).toBe(0o700);
    expect(await readdir(state)).toEqual([]);
    await changes.close();
    expect(changes.list()).toEqual([]);
  });

  test('does not stop writes when nothing can be kept', async () => {
    await writeFile(`${sandbox.outside}/state`, 'a file where the folder should be');
    const {changes, write} = keeping();
    await writeFile(at('a'), 'old');
    await write('a', 'new');
    expect(await read('a')).toBe('new');
    const [file] = await changes.undo(0);
    expect(file?.refused).toContain('not kept');
  });
});

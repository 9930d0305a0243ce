import {chmodSync, readdirSync, readFileSync, rmSync, truncateSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {restoreRange} from '../../../src/snapshots/rewind.ts';
import {listSnapshots, storeSnapshot} from '../../../src/snapshots/snapshot-log.ts';
import {contentOf, snapshotFolder} from '../../support/folders/snapshot-folder.ts';

describe('damaged snapshots', () => {
  const NAME = /^[0-9a-f]{2}\/[0-9a-f]{38}$/;

  test.each([
    ['gone', (path: string) => rmSync(path)],
    ['empty', (path: string) => truncateSync(path)],
  ])('whose objects are %s are left out; the next ones are complete', async (_what, damage) => {
    const {write, take, changes, repository} = await snapshotFolder();
    write({'a.txt': 'a', 'sub/b.txt': 'b'});
    const record = {session: 's', turn: 1, when: 'before'} as const;
    await storeSnapshot(repository, await take(), {...record, at: 1});
    const objects = join(repository.gitDir, 'objects');
    for (const name of readdirSync(objects, {recursive: true, encoding: 'utf8'}))
      if (NAME.test(name)) {
        chmodSync(join(objects, name), 0o600);
        damage(join(objects, name));
      }
    write({'a.txt': 'changed'});
    const before = await take();
    await storeSnapshot(repository, before, {...record, at: 2});
    write({'a.txt': 'again'});
    expect(await changes(before, await take())).toEqual(['M a.txt']);
    expect((await listSnapshots(repository)).map(({at}) => at)).toEqual([2]);
  });
});

test('what git has packed is listed, compared and restored, with what is stored after it', async () => {
  const {folder, write, take, changes, repository} = await snapshotFolder();
  const record = {session: 's', turn: 1} as const;
  write({'a.txt': 'one'});
  const before = await take();
  await storeSnapshot(repository, before, {...record, when: 'before', at: 1});
  await repository.git(['gc', '--quiet']);
  expect(
    readdirSync(join(repository.gitDir, 'refs'), {recursive: true, withFileTypes: true}).filter((each) =>
      each.isFile(),
    ),
  ).toEqual([]);
  write({'a.txt': 'two', 'b.txt': 'b'});
  const after = await take();
  await storeSnapshot(repository, after, {...record, when: 'after', at: 2});
  expect((await listSnapshots(repository, 's')).map(({at, id}) => [at, id])).toEqual([
    [1, before],
    [2, after],
  ]);
  expect(await changes(before, after)).toEqual(['M a.txt', 'A b.txt']);
  await restoreRange(repository, {from: after, to: before});
  expect(contentOf(folder)).toEqual({'a.txt': expect.any(String) as string});
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one');
});

test('what was listed is not read again, packed or not: each turn lists all snapshots of its session', async () => {
  const {take, repository} = await snapshotFolder();
  const id = await take();
  const store = (turn: number) =>
    storeSnapshot(repository, id, {session: 's', turn, when: 'before', at: turn});
  const commands: unknown[] = [];
  const watched: typeof repository = {
    ...repository,
    git: (command, options) => {
      commands.push(command[0]);
      return repository.git(command, options);
    },
  };
  const turns = async () => (await listSnapshots(watched, 's')).map(({turn}) => turn);
  await store(1);
  await repository.git(['gc', '--quiet']);
  expect(await turns()).toEqual([1]);
  await store(2);
  expect(await turns()).toEqual([1, 2]);
  await repository.git(['gc', '--quiet']);
  await store(3);
  expect(await turns()).toEqual([1, 2, 3]);
  expect(commands).toEqual(['for-each-ref']);
});

import {chmodSync, readdirSync, rmSync, truncateSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {listSnapshots, storeSnapshot} from '../../../src/snapshots/snapshot-log.ts';
import {snapshotFolder} from '../../support/folders/snapshot-folder.ts';

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

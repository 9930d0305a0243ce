import {rmSync} from 'node:fs';
import {basename, join} from 'node:path';
import {expect, test} from 'vitest';
import {createReviewer} from '../../../src/snapshots/review/reviewer.ts';
import {changedFiles, changedOutsideTurns} from '../../../src/snapshots/rewind.ts';
import {storeSnapshot} from '../../../src/snapshots/snapshot-log.ts';
import {takeSnapshot} from '../../../src/snapshots/take/take-snapshot.ts';
import {git, snapshotFolder, type SnapshotFolder} from '../../support/folders/snapshot-folder.ts';

const SESSION = 'session';

async function stored(
  {repository, take}: SnapshotFolder,
  turn: number,
  when: 'before' | 'after',
  session = SESSION,
): Promise<string> {
  const id = await take();
  await storeSnapshot(repository, id, {session, turn, when, at: Date.now()});
  return id;
}

test('what a turn without a snapshot of its start changed does not count as changed between turns', async () => {
  const folder = await snapshotFolder();
  const reviewer = createReviewer(async () => folder.repository);
  folder.write({'a.txt': 'one', 'mine.txt': 'one'});
  await stored(folder, 1, 'before');
  await stored(folder, 1, 'after');
  folder.write({'a.txt': 'two'});
  await stored(folder, 2, 'after');
  folder.write({'mine.txt': 'two'});
  await stored(folder, 3, 'before');
  folder.write({'b.txt': 'three'});
  await stored(folder, 3, 'after');
  folder.write({'c.txt': 'five'});
  await stored(folder, 6, 'before');
  await stored(folder, 6, 'after');
  folder.write({'d.txt': 'seven'});
  const changed = async (turn: number) => {
    const outcome = await reviewer.read({session: SESSION, turn}, {kind: 'session'});
    const files = outcome.ok ? outcome.review.files : [];
    return Object.fromEntries(files.map(({path, changedIn}) => [path, changedIn]));
  };
  const before = {'a.txt': [2], 'mine.txt': ['outside'], 'b.txt': [3], 'c.txt': [5]};
  expect(await changed(6)).toEqual({...before, 'd.txt': ['outside']});
  // During the seventh turn.
  expect(await changed(7)).toEqual({...before, 'd.txt': [7]});
});

test('what another session of the folder changed counts as changed outside of the turns', async () => {
  const folder = await snapshotFolder();
  folder.write({'a.txt': 'one', 'b.txt': 'one'});
  const since = await stored(folder, 1, 'before');
  folder.write({'a.txt': 'two'});
  await stored(folder, 1, 'after');
  await stored(folder, 1, 'before', 'other');
  folder.write({'b.txt': 'two'});
  await stored(folder, 1, 'after', 'other');
  const changed = await changedOutsideTurns(folder.repository, since, await folder.take());
  expect([...changed].map((path) => basename(path))).toEqual(['b.txt']);
});

test('what has changed is named with what no snapshot has, and whether it was there before', async () => {
  const folder = await snapshotFolder((root) => void git(root, 'init', '-q'));
  folder.write({
    '.gitignore': '*.local\n',
    'changed.txt': 'one',
    'gone.txt': 'one',
    'same.txt': 'one',
    'old/.envrc': 'one',
    'old/old.local': 'one',
  });
  const from = await folder.take();
  rmSync(join(folder.folder, 'gone.txt'));
  folder.write({'changed.txt': 'two', 'new/.envrc': 'two', 'new/new.txt': 'two', 'new/new.local': 'two'});
  folder.write({'module/text': 'two'});
  git(join(folder.folder, 'module'), 'init', '-q');
  const changed = await changedFiles(folder.repository, {from, to: await folder.take()});
  const names = Array.from(changed, ([path, isNew]) => [path.slice(folder.folder.length + 1), isNew]);
  expect(Object.fromEntries(names)).toEqual({
    'changed.txt': false,
    'old/.envrc': false,
    'old/old.local': false,
    'new/.envrc': true,
    'new/new.txt': true,
    'new/new.local': true,
    'module/': true,
  });
});

test('what was in no snapshot before, and is now, is named: ignored then, or too large', async () => {
  const folder = await snapshotFolder((root) => void git(root, 'init', '-q'));
  folder.write({
    '.gitignore': 'ign/\n',
    'ign/old.txt': 'one',
    'large.txt': 'large '.repeat(10),
    '.env': 'one',
  });
  const from = await takeSnapshot(folder.repository, {maxFileBytes: 20});
  folder.write({'.gitignore': '', 'ign/.mcp.json': 'two', 'large.txt': 'small'});
  const changed = await changedFiles(folder.repository, {from, to: await folder.take()});
  const names = Array.from(changed, ([path, isNew]) => [path.slice(folder.folder.length + 1), isNew]);
  expect(Object.fromEntries(names)).toEqual({
    '.env': false,
    '.gitignore': false,
    'ign/.mcp.json': false,
    'ign/old.txt': false,
    'large.txt': false,
  });
});

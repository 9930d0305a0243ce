import {expect, test} from 'vitest';
import {hunksIn, patchesBetween} from '../../../src/snapshots/differences.ts';
import {snapshotFolder} from './folders.ts';

test('a carriage return before what looks like the patch of another file hides nothing', async () => {
  const {write, take, repository} = await snapshotFolder();
  write({'a.txt': 'a\n', 'b.txt': 'b\n'});
  const from = await take();
  write({'a.txt': 'a\rdiff --git a/b.txt b/b.txt\nend\n', 'b.txt': 'changed\n'});
  const patches = await patchesBetween(repository, {from, to: await take()});
  const linesOf = (path: string) => hunksIn(patches.get(path) ?? '').map(({lines}) => lines);
  expect(linesOf('a.txt')).toEqual([['-a', '+a\rdiff --git a/b.txt b/b.txt', '+end']]);
  expect(linesOf('b.txt')).toEqual([['-b', '+changed']]);
});

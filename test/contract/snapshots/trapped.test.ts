import {spawnSync} from 'node:child_process';
import {chmodSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import type {ReviewChange} from '../../../src/session/review.ts';
import {createReviewer} from '../../../src/snapshots/review/reviewer.ts';
import {planRange, restoreRange} from '../../../src/snapshots/rewind.ts';
import {storeSnapshot} from '../../../src/snapshots/snapshot-log.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';
import {contentOf, everythingIn, snapshotFolder} from '../../support/folders/snapshot-folder.ts';
import {trappedRepository} from '../../support/folders/trapped-repository.ts';

const SESSION = {session: 'session', turn: 1};

test('restoring, accepting and reverting change nothing in .git and run nothing that its settings name', async () => {
  let sprung: () => readonly string[] = () => ['not prepared'];
  const opened = await snapshotFolder((each) => {
    const marks = join(temporaryFolder(), 'marks');
    const traps = [join(each, 'module'), each].map((place) => trappedRepository(place, marks));
    // Git itself has looked into the submodule when it was added.
    for (const name of traps[0]?.sprung() ?? []) rmSync(join(marks, name));
    sprung = () => traps.flatMap((trap) => trap.sprung());
  });
  const {folder, write, take, repository} = opened;
  const inGit = everythingIn(join(folder, '.git'));
  vi.stubEnv('PATH', `.:${folder}:${join(folder, 'module')}:${process.env['PATH']}`);
  write({'sub/one.txt': 'one\r\n', 'run.sh': '#!/bin/sh\n'});
  const before = await take();
  await storeSnapshot(repository, before, {...SESSION, when: 'before', at: Date.now()});
  const content = contentOf(folder);
  write({'tracked.txt': 'by the agent\n', 'sub/one.txt': 'ONE\r\ntwo\r\n', 'new.txt': 'n'});
  chmodSync(join(folder, 'run.sh'), 0o755);
  const range = {from: await take(), to: before};
  expect((await planRange(repository, range)).files).toHaveLength(4);
  const reviewer = createReviewer(async () => repository);
  const read = await reviewer.read(SESSION, {kind: 'unreviewed'});
  const files = read.ok ? read.review.files : [];
  let of = read.ok ? read.review.id : '';
  const change = async (action: ReviewChange) => {
    const outcome = await reviewer.change(SESSION, action, of);
    of = outcome.ok ? outcome.review.id : of;
  };
  for (const {id, hunks} of files) {
    for (const kind of ['accept', 'revert'] as const) {
      await change({kind, file: id, hunk: hunks[0]?.id});
      await change({kind: 'undo'});
    }
  }
  expect(readFileSync(join(folder, 'sub/one.txt'), 'utf8')).toBe('ONE\r\ntwo\r\n');
  await restoreRange(repository, range);
  expect(contentOf(folder)).toEqual(content);
  vi.unstubAllEnvs();
  expect(sprung()).toEqual([]);
  expect(everythingIn(join(folder, '.git'))).toEqual(inGit);
  writeFileSync(join(folder, 'tracked.txt'), 'again');
  rmSync(join(folder, 'new.txt'), {force: true});
  spawnSync('git', ['status'], {cwd: folder, stdio: 'ignore'});
  expect(sprung(), 'the traps are real').not.toEqual([]);
});

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Review, ReviewChange, ReviewOutcome, ReviewRange} from '../../../src/session/review.ts';
import {createReviewer} from '../../../src/snapshots/review/reviewer.ts';
import {storeSnapshot} from '../../../src/snapshots/snapshot-log.ts';
import {snapshotFolder} from '../../support/folders/snapshot-folder.ts';

const session = 'session';
const ALL: ReviewRange = {kind: 'unreviewed'};

/** A folder in which three turns have changed a file, and what opens its review in windows that share the session. */
async function shared() {
  const {folder, repository, take, write} = await snapshotFolder();
  for (const turn of [1, 2, 3]) {
    write({'a.txt': `${turn - 1}\n`});
    await storeSnapshot(repository, await take(), {session, turn, when: 'before', at: Date.now()});
    write({'a.txt': `${turn}\n`});
    await storeSnapshot(repository, await take(), {session, turn, when: 'after', at: Date.now()});
  }
  const reviewer = createReviewer(async () => repository);
  const opened = async (range: ReviewRange) => {
    let shown: Review | undefined;
    const show = (outcome: ReviewOutcome) => {
      if (!outcome.ok) throw new Error(outcome.why);
      shown = outcome.review;
      return outcome.message;
    };
    show(await reviewer.read({session, turn: 3}, range));
    return {
      range: () => shown?.range,
      change: async (change: ReviewChange) =>
        show(await reviewer.change({session, turn: 3}, change, shown?.id ?? '')),
    };
  };
  return {opened, write, text: () => readFileSync(join(folder, 'a.txt'), 'utf8')};
}

test('reverts what its own window shows, and goes on with that range', async () => {
  const {opened, text} = await shared();
  const third = await opened({kind: 'turn', turn: 3});
  const all = await opened(ALL);
  expect(await third.change({kind: 'revert', file: 'a.txt', hunk: undefined})).toBe('Reverted a.txt.');
  expect(text()).toBe('2\n');
  expect(third.range()).toEqual({kind: 'turn', turn: 3});
  await all.change({kind: 'refresh'});
  expect(all.range()).toEqual(ALL);
});

test('accepts what its own window shows: the rest is still to be reviewed', async () => {
  const {opened, text, write} = await shared();
  const one = await opened(ALL);
  write({'a.txt': '4\n'});
  const other = await opened(ALL);
  expect(await one.change({kind: 'accept', file: 'a.txt', hunk: undefined})).toBe('Accepted a.txt.');
  expect(await other.change({kind: 'accept', file: 'a.txt', hunk: undefined})).toBe(
    'It has changed since; its current state is shown.',
  );
  await other.change({kind: 'revert', file: 'a.txt', hunk: undefined});
  expect(text()).toBe('3\n');
});

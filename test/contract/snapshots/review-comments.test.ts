import {expect, test} from 'vitest';
import {createReviewer} from '../../../src/snapshots/review/reviewer.ts';
import {storeSnapshot} from '../../../src/snapshots/snapshot-log.ts';
import {snapshotFolder} from '../../support/folders/snapshot-folder.ts';

const SESSION = {session: 'session', turn: 1};

/** Returns what opens the review of a session, as another window would. */
async function reviewed() {
  const {repository, take} = await snapshotFolder();
  await storeSnapshot(repository, await take(), {...SESSION, when: 'before', at: Date.now()});
  return () => createReviewer(async () => repository);
}

test.each([
  ['of two windows', false],
  ['of two windows that share it in the background', true],
])('comments on one session %s are all kept', async (_, isShared) => {
  const reviewer = await reviewed();
  const about = (text: string) =>
    ({path: 'a.txt', side: 'new', line: 1, lastLine: 1, quote: ['+b'], text}) as const;
  const one = reviewer();
  const other = isShared ? one : reviewer();
  const [first, second, third, fourth] = ['first', 'second', 'third', 'fourth'].map(about);
  await one.saveComments(SESSION, {added: [first!, second!], removed: []});
  for (const each of [one, other]) await each.read(SESSION, {kind: 'unreviewed'});
  await one.saveComments(SESSION, {added: [third!], removed: [first!]});
  await other.saveComments(SESSION, {added: [fourth!], removed: []});
  const outcome = await reviewer().read(SESSION, {kind: 'unreviewed'});
  const texts = outcome.ok ? outcome.review.comments.map(({text}) => text) : [];
  expect(texts).toEqual(['second', 'third', 'fourth']);
});

test('comments survive a restart', async () => {
  const reviewer = await reviewed();
  const comment = {path: 'a.txt', side: 'new', line: 1, lastLine: 1, quote: ['+b'], text: 'why?'} as const;
  await reviewer().saveComments(SESSION, {added: [comment], removed: []});
  const outcome = await reviewer().read(SESSION, {kind: 'unreviewed'});
  expect(outcome.ok && outcome.review.comments).toEqual([comment]);
});

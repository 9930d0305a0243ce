import {expect, test} from 'vitest';
import type {SnapshotRepository} from '../../../src/snapshots/repository.ts';
import {createSnapshotQueue} from '../../../src/snapshots/snapshot-queue.ts';
import {snapshotFolder} from '../../support/folders/snapshot-folder.ts';

/** Snapshots of a folder with one file, the first of which is stopped after it has read that file. */
async function stoppedWhileReading(first: 'take' | 'takeAfterTurn') {
  const {folder, repository, write, changes} = await snapshotFolder();
  write({'a.txt': 'one'});
  const stopped = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const git: SnapshotRepository['git'] = async (args, options) => {
    const printed = await repository.git(args, options);
    if (args[0] !== 'update-index') return printed;
    stopped.resolve();
    await goesOn.promise;
    return printed;
  };
  const queue = createSnapshotQueue({
    open: async () => ({...repository, folder, git}),
    signal: new AbortController().signal,
    onFailed: () => {},
  });
  const taking = queue[first]();
  await stopped.promise;
  return {queue, taking, write, changes, goOn: () => goesOn.resolve()};
}

test('the one before a prompt has what the user changed while the first was being read', async () => {
  const {queue, taking, write, changes, goOn} = await stoppedWhileReading('take');
  write({'a.txt': 'two', 'b.txt': 'new'});
  const beforePrompt = queue.takeBeforePrompt();
  goOn();
  const [first, second] = await Promise.all([taking.id, beforePrompt.id]);
  expect(await changes(first!, second!)).toEqual(['M a.txt', 'A b.txt']);
  expect(await changes(second!, (await queue.take().id)!)).toEqual([]);
  write({'b.txt': 'newer'});
  expect(await changes(second!, (await queue.take().id)!)).toEqual(['M b.txt']);
});

test('the one before a prompt joins one that does not read yet', async () => {
  const {queue, goOn} = await stoppedWhileReading('take');
  const waiting = queue.take();
  expect(queue.takeBeforePrompt()).toBe(waiting);
  goOn();
  await queue.settled();
});

test('a prompt right after a turn waits for the snapshot of its end only', async () => {
  const {queue, taking, goOn} = await stoppedWhileReading('takeAfterTurn');
  expect(queue.takeBeforePrompt()).toBe(taking);
  expect(queue.takeBeforePrompt()).not.toBe(taking);
  goOn();
  await queue.settled();
});

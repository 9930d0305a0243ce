import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {createTurnSnapshots} from '../../../src/snapshots/turn-snapshots.ts';
import {temporaryFolder} from '../../support/folders/temporary-folder.ts';

const turn = {session: 'session', turn: 1};

function inFolder() {
  const [cwd, state] = [temporaryFolder(), temporaryFolder()];
  const snapshots = createTurnSnapshots({folder: cwd, state, keepDays: 1, onOff: () => {}, log: () => {}});
  onTestFinished(() => snapshots.close());
  return {cwd, snapshots};
}

test('a review waits for the snapshot before the prompt that is being sent', async () => {
  const {snapshots} = inFolder();
  const sending = snapshots.beforePrompt(turn, new AbortController().signal);
  expect(await snapshots.reviewer.read(turn, {kind: 'turn', turn: 1})).toMatchObject({ok: true});
  await sending;
});

test('a turn in which the clock was set back can be undone', async () => {
  const {cwd, snapshots} = inFolder();
  await snapshots.beforePrompt(turn, new AbortController().signal);
  writeFileSync(join(cwd, 'new.txt'), 'new');
  const earlier = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 120_000);
  onTestFinished(() => earlier.mockRestore());
  await snapshots.afterTurn(turn);
  expect(await snapshots.planUndo(turn)).toMatchObject({turn: 1, files: [{path: join(cwd, 'new.txt')}]});
});

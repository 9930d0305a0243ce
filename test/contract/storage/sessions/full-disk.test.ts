import {writeFileSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import type {Failure} from '../../../../src/shared/failure.ts';
import {isMark} from '../../../../src/storage/sessions/event-file.ts';
import {openSessionStore} from '../../../../src/storage/sessions/session-store.ts';
import {openDatabase} from '../../../../src/storage/database/database.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {
  conversation,
  playConversation,
  origin,
  storeConversation,
  storeIn,
  turn,
  valueOf,
} from '../stores.ts';

/** A disk with room for this many bytes. */
function smallDisk(room: number) {
  const disk = {
    room,
    write(handle: number, data: Buffer): number {
      if (disk.room === 0) throw Object.assign(new Error('ENOSPC: no space left'), {code: 'ENOSPC'});
      const written = writeSync(handle, data, 0, Math.min(disk.room, data.length));
      disk.room -= written;
      return written;
    },
  };
  return disk;
}

test.each([1, 100, 777, 1111, 1500])(
  'a disk that is full after %i bytes is reported once, and what came meanwhile is stored when there is space again',
  async (room) => {
    const problems: Failure[] = [];
    const disk = smallDisk(room);
    const onProblem = (problem: Failure) => problems.push(problem);
    const store = storeIn(temporaryFolder(), {onProblem, write: (...given) => disk.write(...given)});
    const recorder = valueOf(store.record(origin));
    const full = playConversation(recorder, conversation([['häßlich 😀'.repeat(50), 'ä ö ü '.repeat(20)]]));
    recorder.flush();
    expect(problems).toEqual([expect.objectContaining({kind: 'file', problem: 'the disk is full'})]);
    disk.room = Infinity;
    const state = playConversation(recorder, turn(2, 'room', 'again'), full);
    recorder.close();
    expect(valueOf(await store.state(recorder.id() ?? ''))).toEqual(state);
    expect(problems).toHaveLength(1);
  },
);

test('a full disk is not tried again at each frame', () => {
  vi.useFakeTimers({toFake: ['setTimeout']});
  onTestFinished(() => void vi.useRealTimers());
  let attempts = 0;
  const write = () => {
    attempts++;
    throw Object.assign(new Error('ENOSPC: no space left'), {code: 'ENOSPC'});
  };
  const store = storeIn(temporaryFolder(), {onProblem: () => {}, write});
  const recorder = valueOf(store.record(origin));
  playConversation(recorder, conversation([['one', 'two']]));
  for (let frame = 0; frame < 100; frame++) recorder.flush();
  expect(attempts).toBe(1);
});

test.each(['without another event', 'at an abrupt end'])(
  'what a full disk has not taken is written %s when there is space again',
  async (when) => {
    vi.useFakeTimers({toFake: ['setTimeout']});
    onTestFinished(() => void vi.useRealTimers());
    const disk = smallDisk(100);
    const store = storeIn(temporaryFolder(), {
      onProblem: () => {},
      write: (...given) => disk.write(...given),
    });
    const recorder = valueOf(store.record(origin));
    const state = playConversation(recorder, conversation([['one', 'two']]));
    recorder.flush();
    disk.room = Infinity;
    expect(recorder.flush()).toBe(false);
    if (when === 'at an abrupt end') recorder.flush(true);
    else vi.advanceTimersByTime(1000);
    expect(valueOf(await store.state(recorder.id() ?? ''))).toEqual(state);
  },
);

test('what waits for a full disk is limited, and the file says how much is missing', async () => {
  const disk = smallDisk(0);
  const store = storeIn(temporaryFolder(), {onProblem: () => {}, write: (...given) => disk.write(...given)});
  const recorder = valueOf(store.record(origin));
  const large = 'x'.repeat(20 * 1024 * 1024);
  const state = playConversation(
    recorder,
    conversation([
      ['one', large],
      ['two', large],
    ]),
  );
  disk.room = Infinity;
  playConversation(recorder, turn(3, 'three', 'small'), state);
  recorder.close();
  const {lines} = valueOf(await store.events(recorder.id() ?? ''));
  const lost = lines.filter(isMark).find(({mark}) => mark === 'lost');
  expect(lost).toMatchObject({lines: expect.any(Number)});
  const restored = valueOf(await store.state(recorder.id() ?? ''));
  expect(JSON.stringify([...restored.entries])).toMatch(/could not be stored: \d+ events missing/);
  expect(valueOf(store.find(recorder.id() ?? '')).turns).toBe(3);
});

test('reports when no folder can be created, and everything else works', () => {
  const problems: Failure[] = [];
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, 'in the way');
  const state = join(file, 'acp-tui');
  const database = openDatabase(state, {onDamaged: (sentence) => expect.unreachable(sentence)});
  const store = openSessionStore({state, database, onProblem: (problem) => problems.push(problem)});
  storeConversation(store, conversation([['hello', 'hi']]));
  expect(problems.map(({kind}) => kind)).toContain('file');
  expect(store.list()).toMatchObject({ok: false, failure: {kind: 'file'}});
});

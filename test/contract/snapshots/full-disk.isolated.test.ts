import type * as promises from 'node:fs/promises';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {restore, restoreSteps} from '../../../src/snapshots/restore.ts';
import {contentOf, snapshotFolder} from '../../support/folders/snapshot-folder.ts';

const disk = {room: Infinity};

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof promises>();
  const open: typeof promises.open = async (...given) => {
    const handle = await real.open(...given);
    handle.writeFile = async (data) => {
      const bytes = data as Buffer;
      const written = Math.min(disk.room, bytes.length);
      disk.room -= written;
      await handle.write(bytes.subarray(0, written));
      if (written < bytes.length) throw Object.assign(new Error('no space left'), {code: 'ENOSPC'});
    };
    return handle;
  };
  return {...real, open};
});

test.each([0, 1000, 5000])(
  'a disk with room for %i bytes: each file is restored or stays as it is, and the rest follows later',
  async (room) => {
    const {folder, write, take, compare, repository} = await snapshotFolder();
    const names = Array.from({length: 10}, (_, index) => `sub/${index}.txt`);
    for (const name of names) write({[name]: `before ${name} `.repeat(50)});
    const before = await take();
    const wanted = contentOf(folder);
    for (const name of names) write({[name]: `after ${name}`});
    rmSync(join(folder, names[9] ?? ''));
    const after = await take();
    const changed = contentOf(folder);
    const goBack = async () => restore(repository, restoreSteps(await compare(await take(), before)));

    disk.room = room;
    const files = await restore(repository, restoreSteps(await compare(after, before)));
    disk.room = Infinity;
    const refused = new Map(files.map(({path, refused: why}) => [path, why]));
    expect(new Set(refused.values())).toEqual(new Set(room === 0 ? [FULL] : [undefined, FULL]));
    for (const [path, content] of Object.entries(contentOf(folder)))
      expect(content).toEqual((refused.get(path) === undefined ? wanted : changed)[path]);
    expect(Object.keys(contentOf(folder)).length).toBeGreaterThanOrEqual(Object.keys(changed).length);

    await goBack();
    expect(contentOf(folder)).toEqual(wanted);
  },
);

const FULL = 'the disk is full';

import {readFileSync} from 'node:fs';
import fs from 'node:fs/promises';
import {syncBuiltinESMExports} from 'node:module';
import {compareSnapshots} from '../../../../src/snapshots/differences.ts';
import {createRepository} from '../../../../src/snapshots/repository.ts';
import {restore, restoreSteps} from '../../../../src/snapshots/restore.ts';

/** A process that restores a snapshot, and kills itself before an operation on the files. */
interface Order {
  readonly folder: string;
  readonly state: string;
  /** The ids of the snapshots. */
  readonly from: string;
  readonly to: string;
  /** The number of the operation, from 1. */
  readonly killAt: number;
}

const {folder, state, from, to, killAt} = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Order;
let operations = 0;

function count(): void {
  operations++;
  if (operations === killAt) process.kill(process.pid, 'SIGKILL');
}

const {open, link, rename, unlink, symlink, mkdir, rmdir} = fs;
const counted = Object.entries({link, rename, unlink, symlink, mkdir, rmdir}).map(
  ([name, operation]) =>
    [
      name,
      (...given: unknown[]) => {
        count();
        return Reflect.apply(operation, fs, given) as unknown;
      },
    ] as const,
);

/** A file may be written in part. */
const openCounted: typeof open = async (...given) => {
  const handle = await open(...given);
  const writeFile = handle.writeFile.bind(handle);
  handle.writeFile = async (data) => {
    const bytes = data as Buffer;
    count();
    await writeFile(bytes.subarray(0, bytes.length / 2));
    count();
    await writeFile(bytes.subarray(bytes.length / 2));
  };
  return handle;
};

const repository = await createRepository(folder, state);
const steps = restoreSteps(await compareSnapshots(repository, {from, to, wanted: 'to'}));
Object.assign(fs, Object.fromEntries(counted), {open: openCounted});
syncBuiltinESMExports();
process.stdout.write('begun\n');
await restore(repository, steps);
process.stdout.write(`${operations}\n`);

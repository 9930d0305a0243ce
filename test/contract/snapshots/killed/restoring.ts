import {readFileSync} from 'node:fs';
import {compareSnapshots} from '../../../../src/snapshots/differences.ts';
import {createRepository} from '../../../../src/snapshots/repository.ts';
import {restore, stepsOf} from '../../../../src/snapshots/restore.ts';

/** A process that restores a snapshot, to be killed meanwhile. */
const {folder, state, from, to} = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Record<
  'folder' | 'state' | 'from' | 'to',
  string
>;
const repository = await createRepository(folder, state);
const steps = stepsOf(await compareSnapshots(repository, {from, to, wanted: 'to'}));
process.stdout.write('begun\n');
await restore(repository, steps);

import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {killRestore, prepareRestores} from '../test/contract/snapshots/killed/kill-restore.ts';
import {killOne} from '../test/contract/storage/killed/kill.ts';

/**
 * Kills processes that store events, processes that restore files, then the whole program in a terminal, and the background service, each at a random point,
 * and reports what was lost: `npm run kill -- 200 1` kills 200 of each, starting with that seed.
 */
const [count = '200', firstSeed = '1'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'acp-tui-kill-'));
let [shown, stored, failed] = [0, 0, 0];
for (let round = 0; round < Number(count); round++) {
  const seed = Number(firstSeed) + round;
  const killed = await killOne(folder, seed);
  shown += killed.shown;
  stored += killed.stored;
  for (const sentence of killed.wrong) console.log(`seed ${seed}: ${sentence}`);
  if (killed.wrong.length > 0) failed++;
}
rmSync(folder, {recursive: true, force: true});

const scratch = mkdtempSync(join(tmpdir(), 'acp-tui-kill-'));
const restored = await prepareRestores(scratch);
let [caught, saves] = [0, 0];
for (let round = 0; round < Number(count); round++) {
  const seed = Number(firstSeed) + round;
  const killed = await killRestore(restored, seed);
  caught += Number(killed.wasCaught);
  saves += killed.saves;
  for (const sentence of killed.wrong) console.log(`seed ${seed}: ${sentence}`);
  if (killed.wrong.length > 0) failed++;
}
rmSync(scratch, {recursive: true, force: true});
console.log(
  `${count} restores killed, ${caught} of them half-way, while ${saves} files were saved by another program`,
);
console.log(
  `${count} processes killed after ${shown} steps in all; ${stored} events stored; ${failed} lost something`,
);

const projects = ['--project', 'pty', '--project', 'contract'];
const {status} = spawnSync(
  'vitest',
  ['run', ...projects, 'test/pty/killed', 'test/contract/service/killed'],
  {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: {...process.env, KILLS: count, KILL_SEED: firstSeed},
  },
);
process.exitCode = failed === 0 ? (status ?? 1) : 1;

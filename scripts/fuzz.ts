import {spawnSync} from 'node:child_process';

/** `npm run fuzz [streams] [seed]`: the hostile streams of the screen tests, in larger numbers and with a new seed each time. */
const [streams = '10000', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2);

console.log(`${streams} streams, seed ${seed}`);
const {status} = spawnSync('vitest', ['run', '--project', 'screen', 'test/screen/hostile'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: {...process.env, FUZZ_STREAMS: streams, FUZZ_SEED: seed},
});
process.exitCode = status ?? 1;

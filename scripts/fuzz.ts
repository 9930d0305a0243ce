import {spawnSync} from 'node:child_process';

/**
 * `npm run fuzz [streams] [seed]`: the hostile streams and resizes of the screen tests, in larger numbers and with a new seed each time;
 * a tenth of them as WebSocket and HTTP, as stories of approved work, and as examples for every property; and a hundredth as answers during which
 * the terminal is resized; and a twentieth as windows that attach to a session in the background and leave it, all of them as calls of its actions.
 */
const [streams = '10000', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2);

console.log(`${streams} streams, seed ${seed}`);
const tests = [
  'test/unit',
  'test/screen/hostile',
  'test/screen/panels/request',
  'test/screen/resize',
  'test/contract/agents/install/random-archives',
  'test/contract/host/files/swapped-links',
  'test/contract/host/permissions/shell-truth',
  'test/contract/remote/framing-fuzz',
  'test/contract/service/random',
  'test/contract/trust/property',
  'test/contract/snapshots/restore.test.ts',
  'test/contract/snapshots/review.test.ts',
  'test/pty/screen/resize',
];
const projects = ['unit', 'screen', 'contract', 'pty'].flatMap((name) => ['--project', name]);
const {status} = spawnSync('vitest', ['run', ...projects, ...tests], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: {
    ...process.env,
    FUZZ_STREAMS: streams,
    FUZZ_SEED: seed,
    PROPERTY_SEED: seed,
    PROPERTY_RUNS: String(Math.ceil(Number(streams) / 10)),
  },
});
process.exitCode = status ?? 1;

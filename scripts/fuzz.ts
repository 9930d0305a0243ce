import {spawnSync} from 'node:child_process';

/** `npm run fuzz [streams] [seed]`: the hostile streams of the screen tests, in larger numbers and with a new seed each time; a tenth of them as WebSocket and HTTP, and as stories of approved work; and a hundredth as answers during which the terminal is resized. */
const [streams = '10000', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2);

console.log(`${streams} streams, seed ${seed}`);
const tests = [
  'test/screen/hostile',
  'test/contract/remote/framing-fuzz',
  'test/contract/trust/property',
  'test/pty/screen/resize',
];
const projects = ['screen', 'contract', 'pty'].flatMap((name) => ['--project', name]);
const {status} = spawnSync('vitest', ['run', ...projects, ...tests], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: {...process.env, FUZZ_STREAMS: streams, FUZZ_SEED: seed},
});
process.exitCode = status ?? 1;

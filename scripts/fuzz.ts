import {execa} from 'execa';

/**
 * `npm run fuzz [streams] [seed]`: the hostile streams and resizes of the screen tests, in larger numbers and with a new seed each time;
 * a tenth of them as WebSocket and HTTP, as stories of approved work, and as examples for every property; and a hundredth as answers during which
 * the terminal is resized; and a twentieth as windows that attach to a session in the background and leave it, all of them as calls of its actions.
 */
const [streams = '10000', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2);
console.log(`${streams} streams, seed ${seed}`);

/** The streams mostly wait for frames, so that several processes share them, each with a seed of its own. */
const PARTS = 3;

const codes = await Promise.all([
  ...Array.from({length: PARTS}, (_, part) =>
    fuzz(Math.ceil(Number(streams) / PARTS), Number(seed) + part, ['test/screen/hostile/hostile-streams']),
  ),
  fuzz(Number(streams), Number(seed), ['test/screen/hostile/approved']),
  fuzz(Number(streams), Number(seed), [
    'test/unit',
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
  ]),
]);
process.exitCode = Math.max(...codes);

/** Resolves to the exit code. */
async function fuzz(count: number, from: number, tests: readonly string[]): Promise<number> {
  const projects = ['unit', 'screen', 'contract', 'pty'].flatMap((name) => ['--project', name]);
  const env = {
    FUZZ_STREAMS: String(count),
    FUZZ_SEED: String(from),
    PROPERTY_SEED: String(from),
    PROPERTY_RUNS: String(Math.ceil(count / 10)),
  };
  const {exitCode = 1} = await execa('vitest', ['run', ...projects, ...tests], {
    env,
    reject: false,
    stdio: 'inherit',
  });
  if (exitCode !== 0) console.log(`failed with seed ${from} and ${count} streams: ${tests.join(' ')}`);
  return exitCode;
}

import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';

/**
 * One project per tier; CONTRIBUTING.md describes them. A limit only ends what hangs: it is far above what a test
 * needs on a busy machine. Waiting for a state has half of it.
 */
function tier(name: string, timeoutSeconds: number, globalSetup: readonly string[] = []) {
  return {
    extends: true as const,
    test: {
      name,
      globalSetup: [...globalSetup],
      setupFiles: ['test/seed.ts'],
      include: [`test/${name}/**/*.test.{ts,tsx}`],
      testTimeout: timeoutSeconds * 1000,
      hookTimeout: timeoutSeconds * 1000,
      expect: {poll: {timeout: (timeoutSeconds * 1000) / 2}},
    },
  };
}

export default defineConfig({
  test: {
    // More than there are cores: most tests wait for other processes, or for time to pass.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Neither the caller's terminal nor the caller's git decides: colors are part of what is tested.
    env: {
      FORCE_COLOR: '3',
      NO_COLOR: '',
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    },
    projects: [
      tier('unit', 60),
      tier('contract', 120),
      tier('screen', 60),
      tier('pty', 180),
      tier('live', 300, ['test/live/setup.ts']),
    ],
  },
});

import {defineConfig} from 'vitest/config';

/** One project a tier; what each tier is for stands in CONTRIBUTING.md. */
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
      // CI shows a test that needed a second attempt as retried; such a test is broken and to be mended.
      retry: Number(process.env['TEST_RETRIES'] ?? 0),
      // Waiting for a state ends with the test; a second is too little on a busy machine.
      expect: {poll: {timeout: (timeoutSeconds * 1000) / 2}},
    },
  };
}

export default defineConfig({
  test: {
    // By itself vitest leaves one core alone: of two that is half, and most tests wait for other processes.
    maxWorkers: '100%',
    // Colours are part of what is tested: do not let the caller's terminal decide.
    env: {FORCE_COLOR: '3', NO_COLOR: '', TZ: 'UTC', LC_ALL: 'C.UTF-8'},
    projects: [
      tier('unit', 20),
      tier('contract', 30),
      tier('screen', 20),
      tier('pty', 60),
      tier('live', 180, ['test/live/setup.ts']),
    ],
  },
});

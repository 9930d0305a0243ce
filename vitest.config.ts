import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';

interface Tier {
  /** Its folder below `test`, and the name of its project. */
  readonly name: string;
  /** Limits only end what hangs: they are far above what a test needs on a busy machine. Waiting for a state has half of it. */
  readonly seconds: number;
  readonly globalSetup?: string[];
  readonly setupFiles?: string[];
  /** The test files, if not all that need no isolation. */
  readonly include?: string[];
  /** True if each file gets module instances of its own, which takes twice as long. */
  readonly isolate?: boolean;
}

/** One project per tier; CONTRIBUTING.md describes them. Files that replace a module are named `*.isolated.test.ts`. */
function tier({name, seconds, globalSetup = [], setupFiles = [], include, isolate = false}: Tier) {
  return {
    extends: true as const,
    test: {
      name,
      globalSetup,
      isolate,
      setupFiles: [
        'test/seed.ts',
        'test/support/in-process.ts',
        'test/support/free-memory.ts',
        ...setupFiles,
      ],
      include: include ?? [`test/${name}/**/!(*.isolated).test.{ts,tsx}`],
      testTimeout: seconds * 1000,
      hookTimeout: seconds * 1000,
      expect: {poll: {timeout: (seconds * 1000) / 2}},
    },
  };
}

const BUNDLED_AGENT = ['test/support/bundle-fake-agent.ts'];

export default defineConfig({
  oxc: {jsx: {development: false}},
  test: {
    // More than there are cores: most tests wait for other processes, or for time to pass.
    maxWorkers: availableParallelism() * 2,
    // Neither the caller's terminal nor the caller's git or shell decides: colors are part of what is tested.
    env: {
      // React is that of the program that is built.
      NODE_ENV: 'production',
      FORCE_COLOR: '3',
      NO_COLOR: '',
      TZ: 'UTC',
      LC_ALL: 'C.UTF-8',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      BASH_ENV: '',
      // The first bash reads .bashrc where its stdin is a socket, as a pipe of Node's is: it could be started by rshd.
      SHLVL: '2',
    },
    projects: [
      tier({name: 'unit', seconds: 60}),
      tier({
        name: 'contract',
        seconds: 180,
        globalSetup: BUNDLED_AGENT,
        setupFiles: ['test/support/driver/window-here.ts'],
      }),
      tier({
        name: 'isolated',
        seconds: 120,
        globalSetup: BUNDLED_AGENT,
        include: ['test/**/*.isolated.test.ts'],
        isolate: true,
      }),
      tier({name: 'screen', seconds: 60}),
      tier({name: 'pty', seconds: 180, globalSetup: BUNDLED_AGENT}),
      tier({name: 'live', seconds: 300, globalSetup: ['test/live/lab/setup.ts']}),
    ],
  },
});

import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Stryker} from '@stryker-mutator/core';

/**
 * `npm run mutate -- src/host/permissions test/contract/host`: makes one small change to the source at a time, and lists those that none of these tests notices.
 * Of a file, it can be lines only: `src/a.ts:1-80`. Without folders or files of tests it runs the unit tests. Fails if fewer than 85 % are noticed.
 */
const places = process.argv.slice(2);
const tests = places.filter((place) => place.startsWith('test/'));
const sources = places.filter((place) => !place.startsWith('test/'));
if (sources.length === 0) {
  console.error('Name a folder or a file: npm run mutate -- src/app/requests');
  process.exit(2);
}
process.env['MUTATION_TESTS'] = (tests.length > 0 ? tests : ['test/unit']).join();

await new Stryker({
  mutate: sources.map((source) => (/\.tsx?(:|$)/.test(source) ? source : `${source}/**/*.{ts,tsx}`)),
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: {configFile: 'scripts/mutate.config.ts', related: true, pool: 'forks'},
  coverageAnalysis: 'perTest',
  // Values that are made when a file is loaded would need all tests again.
  ignoreStatic: true,
  // It would be read with an API that this TypeScript does not have, and nothing here needs it.
  tsconfigFile: 'none',
  // Vitest leaves out what is in node_modules.
  tempDirName: join(tmpdir(), 'acp-tui-mutate'),
  reporters: ['progress-append-only', 'clear-text'],
  clearTextReporter: {allowColor: false, logTests: false, reportTests: false},
  thresholds: {high: 95, low: 85, break: 85},
}).runMutationTest();

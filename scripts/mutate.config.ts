import {fileURLToPath} from 'node:url';
import {defineConfig, type TestProjectInlineConfiguration} from 'vitest/config';
import all from '../vitest.config.ts';

const places = process.env['MUTATION_TESTS']?.split(',') ?? [];
const tiers = (all.test?.projects ?? []) as TestProjectInlineConfiguration[];

/** A test that waits for what a mutant never does must not hold up the run. */
const limits = {testTimeout: 8000, hookTimeout: 8000, expect: {poll: {timeout: 2000}}};

/** The tiers of these folders and files, with the tests in them only. */
const projects = tiers.flatMap((tier) => {
  const {name} = tier.test ?? {};
  const own = places.filter((place) => typeof name === 'string' && `${place}/`.startsWith(`test/${name}/`));
  const include = own.map((place) =>
    /\.tsx?$/.test(place) ? place : `${place}/**/!(*.isolated).test.{ts,tsx}`,
  );
  return own.length > 0 ? [{...tier, test: {...tier.test, ...limits, include}}] : [];
});

export default defineConfig({
  ...all,
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {...all.test, projects},
});

import {fileURLToPath} from 'node:url';
import {defineConfig, type TestProjectInlineConfiguration} from 'vitest/config';
import all from '../vitest.config.ts';

const folders = process.env['MUTATION_TESTS']?.split(',') ?? [];
const tiers = (all.test?.projects ?? []) as TestProjectInlineConfiguration[];

/** The tiers of these folders, with the tests in them only. */
const projects = tiers.flatMap((tier) => {
  const {name} = tier.test ?? {};
  const own = folders.filter(
    (folder) => typeof name === 'string' && `${folder}/`.startsWith(`test/${name}/`),
  );
  const include = own.map((folder) => `${folder}/**/!(*.isolated).test.{ts,tsx}`);
  return own.length > 0 ? [{...tier, test: {...tier.test, include}}] : [];
});

export default defineConfig({
  ...all,
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {...all.test, projects},
});

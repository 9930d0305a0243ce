import {execa} from 'execa';

/**
 * `npm run check`: everything that CI runs. The tests take the longest, so format, lint, types and architecture run beside them, one
 * after another; all that failed is reported at the end. `npm run check:fast`: types, lint, and the unit and screen tests that
 * import a changed file.
 */
const isFast = process.argv.includes('--fast');

interface Check {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
}

const script = (name: string): Check => ({name, command: ['npm', 'run', '--silent', name]});
/** All but the tests with real agents, which `npm run test:live` runs. */
const everyTier = ['--project', '!live'];
const quickTiers = ['--project', 'unit', '--project', 'screen'];

const quick = [script('types'), script('lint')];
const still = isFast ? quick : [script('format:check'), ...quick, script('arch')];
const tests: readonly Check[] = isFast
  ? [{name: 'tests', command: ['vitest', 'run', '--changed', '--passWithNoTests', ...quickTiers]}]
  : [script('build'), {name: 'tests', command: ['vitest', 'run', ...everyTier]}];

const failed = (await Promise.all([inTurn(still, 'pipe'), inTurn(tests, 'inherit')])).flat();
const count = still.length + tests.length;
console.log(`checks: ${count - failed.length} passed, ${failed.length} failed`);
for (const {name} of failed) console.log(`  ${name} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** Runs the checks one after another; returns those that failed. With `pipe`, the output is shown only of those, once it is complete. */
async function inTurn(checks: readonly Check[], output: 'pipe' | 'inherit'): Promise<readonly Check[]> {
  const failed: Check[] = [];
  for (const check of checks) {
    const [program, ...args] = check.command;
    const {exitCode, all} = await execa(program, args, {
      reject: false,
      all: true,
      stdio: ['ignore', output, output],
    });
    if (exitCode === 0) continue;
    failed.push(check);
    if (all) console.log(`\n${check.name} failed:\n${all}\n`);
  }
  return failed;
}

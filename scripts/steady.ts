import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {execa} from 'execa';
import {z} from 'zod';

/**
 * Runs all tests of the check again and again, and names each test that failed in any run: `npm run steady -- 20` runs them 20 times. A run that ends without
 * a report failed as well. `npm run steady -- 10 2 test/pty` keeps two processes busy beside them, and runs only the tests of a folder.
 */
const [runs = '20', busy = '0', ...files] = process.argv.slice(2);

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({fullName: z.string(), status: z.string(), failureMessages: z.array(z.string())}),
      ),
    }),
  ),
});

const folder = mkdtempSync(join(tmpdir(), 'acp-tui-steady-'));
const report = join(folder, 'report.json');
const others = Array.from({length: Number(busy)}, () =>
  execa(process.execPath, ['--eval', 'for (;;);'], {reject: false}),
);
const failures = new Map<string, string[]>();
let green = 0;
try {
  for (let run = 1; run <= Number(runs); run++) {
    rmSync(report, {force: true});
    const started = performance.now();
    const {exitCode} = await execa(
      'vitest',
      ['run', '--project', '!live', ...files, '--reporter=json', `--outputFile=${report}`],
      {
        reject: false,
        stdio: 'ignore',
      },
    );
    const failed = failuresOf(report);
    if (exitCode !== 0 && failed.length === 0)
      failed.push({name: 'the run itself', reason: `exit code ${exitCode}`});
    if (failed.length === 0) green++;
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`run ${run}: ${failed.length === 0 ? 'green' : `${failed.length} failed`}, ${seconds} s`);
    for (const {name, reason} of failed)
      failures.set(name, [...(failures.get(name) ?? []), `run ${run}: ${reason}`]);
  }
} finally {
  for (const other of others) other.kill('SIGKILL');
  rmSync(folder, {recursive: true, force: true});
}
for (const [name, reasons] of failures) console.log(`\n${name}\n  ${reasons.join('\n  ')}`);
console.log(`\n${green} of ${runs} runs green`);
process.exitCode = green === Number(runs) ? 0 : 1;

/** Returns the tests that failed in a run, each with the first line of the reason; files that could not be loaded count as one. */
function failuresOf(path: string): {name: string; reason: string}[] {
  const read = reportSchema.safeParse(readJson(path));
  if (!read.success) return [];
  return read.data.testResults.flatMap((file) => {
    const place = relative(process.cwd(), file.name);
    const failed = file.assertionResults.filter(({status}) => status === 'failed');
    if (failed.length === 0 && file.status === 'failed')
      return [{name: place, reason: firstLine(file.message)}];
    return failed.map((test) => ({
      name: `${place}: ${test.fullName}`,
      reason: firstLine(test.failureMessages[0] ?? ''),
    }));
  });
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

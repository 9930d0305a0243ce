import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {build} from 'rolldown';
import {afterAll, expect, test} from 'vitest';

const file = '.github/workflows/ci.yml';
const content = readFileSync(file, 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'acp-tui-workflow-'));
afterAll(() => rmSync(folder, {recursive: true}));

/** Returns the problems that GitHub's own parser finds. It is bundled first: it imports JSON, which Node does not allow without an attribute. */
async function problemsIn(text: string): Promise<readonly string[]> {
  const bundle = join(folder, 'parser.js');
  await build({
    input: '@actions/workflow-parser',
    platform: 'node',
    logLevel: 'silent',
    output: {file: bundle},
  });
  const {NoOperationTraceWriter, parseWorkflow} = await import(bundle);
  const {context} = parseWorkflow({name: file, content: text}, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({message}: Error) => message);
}

test('the workflow fits the published schema', async () => {
  expect(await problemsIn(content)).toEqual([]);
});

test('one that does not is noticed', async () => {
  expect(await problemsIn(content.replace('runs-on:', 'run-on:'))).not.toEqual([]);
});

test('it runs the two commands of the README', () => {
  expect(content).toMatch(/^ +- run: npm ci\n +- run: npm test$/m);
});

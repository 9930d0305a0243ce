import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {agentOption, runProgram} from '../../../../support/program/run-program.ts';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';

/* An unexpected error: one sentence, where the log is, exit code 1, and never a stack of minified source. */

/** Makes the program throw in the middle of a run. */
function faultOf(code: string): {readonly folder: string; readonly env: Readonly<Record<string, string>>} {
  const folder = temporaryFolder();
  const file = join(folder, 'fault.mjs');
  writeFileSync(file, code);
  return {folder, env: {NODE_OPTIONS: `--import ${file}`, ACP_TUI_STATE_DIR: join(folder, 'state')}};
}

const THROWN = "setTimeout(() => { throw new TypeError('broken by the test\\nsecond line'); }, 1);";
const REJECTED = "setTimeout(() => void Promise.reject(new TypeError('broken by the test')), 1);";
const UNWRITABLE = "process.stdout.write = () => { throw new TypeError('broken by the test'); };";

test.each([
  ['an exception', THROWN, ['-p', 'x', agentOption('hangs')]],
  ['a rejected promise', REJECTED, ['-p', 'x', agentOption('hangs')]],
  ['an exception in a subcommand', UNWRITABLE, ['completion', 'bash']],
])('%s ends with one sentence that names the log', async (_name, code, args) => {
  const {folder, env} = faultOf(code);
  const {exitCode, stderr} = await runProgram(args, {input: '', env});
  const log = join(folder, 'state', 'acp-tui.log');
  expect(stderr).toBe(`acp-tui: Unexpected error (broken by the test). See the log: ${log}\n`);
  expect(exitCode).toBe(1);
  expect(readFileSync(log, 'utf8')).toMatch(/error crashed: TypeError: broken by the test/);
});

import {expect, test} from 'vitest';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {quoteWords} from '../../../../src/text/shell-quote.ts';
import {FAKE_AGENT} from '../../../support/fake-agent.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {runHere} from '../../../support/program/run-program.ts';

const call = (id: number): ScriptStep => ({
  update: {
    sessionUpdate: 'tool_call',
    toolCallId: `call-${id}`,
    title: 'Read a.txt',
    kind: 'read',
    status: 'completed',
    rawInput: {path: 'a.txt'},
  },
});
const calls = Array.from({length: 8}, (_, index) => call(index));
const script = JSON.stringify({turns: [[...calls, {cancelled: true}, {stop: {stopReason: 'cancelled'}}]]});
const agent = quoteWords([process.execPath, FAKE_AGENT, 'script', script]);

function run(...args: readonly string[]) {
  const cwd = temporaryFolder();
  const folders = ['CONFIG', 'STATE', 'DATA', 'CACHE'].map((name) => [
    `ACP_TUI_${name}_DIR`,
    `${cwd}/${name}`,
  ]);
  return runHere(['-p', '--agent', agent, ...args, 'go'], {
    input: '',
    cwd,
    env: Object.fromEntries(folders) as Record<string, string>,
  });
}

test('the same call again and again ends a run with the exit code of limits, which says how to go on', async () => {
  const reached = 'acp-tui: The same call was made 8 of 8 times in a row: Read a.txt (limits.sameCall).';
  const {exitCode, stderr} = await run();
  expect(exitCode).toBe(8);
  expect(stderr).toContain(`${reached} To go on, resume it with a prompt: acp-tui -p --resume session-1. `);
  const unsaved = await run('--no-save');
  expect(unsaved).toMatchObject({exitCode: 8});
  expect(unsaved.stderr).toMatch(/\(limits\.sameCall\)\.\n$/);
});

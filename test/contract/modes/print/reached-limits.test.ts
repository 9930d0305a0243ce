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
const untilCancelled: readonly ScriptStep[] = [{cancelled: true}, {stop: {stopReason: 'cancelled'}}];

/** An agent whose turns do that; each run is one turn. */
function runsOf(steps: readonly ScriptStep[]) {
  const initialize = {protocolVersion: 1, agentCapabilities: {loadSession: true}};
  const script = JSON.stringify({initialize, turns: [steps]});
  const agent = quoteWords([process.execPath, FAKE_AGENT, 'script', script]);
  const cwd = temporaryFolder();
  const folders = ['CONFIG', 'STATE', 'DATA', 'CACHE'].map((name) => [
    `ACP_TUI_${name}_DIR`,
    `${cwd}/${name}`,
  ]);
  const env = Object.fromEntries(folders) as Record<string, string>;
  return (...args: readonly string[]) =>
    runHere(['-p', '--agent', agent, ...args, 'go'], {input: '', cwd, env});
}

test('the same call again and again ends a run with the exit code of limits, which says how to go on', async () => {
  const reached = 'acp-tui: The same call was made 8 of 8 times in a row: Read a.txt (limits.sameCall).';
  const run = runsOf([...calls, ...untilCancelled]);
  const {exitCode, stderr} = await run();
  expect(exitCode).toBe(8);
  expect(stderr).toContain(`${reached} To go on, resume it with a prompt: acp-tui -p --resume session-1. `);
  const unsaved = await run('--no-save');
  expect(unsaved).toMatchObject({exitCode: 8});
  expect(unsaved.stderr).toMatch(/\(limits\.sameCall\)\.\n$/);
});

test('--max-turns counts those of earlier runs, and the last of them succeeds', async () => {
  const run = runsOf([]);
  expect(await run('--max-turns', '1')).toMatchObject({exitCode: 0});
  const further = await run('--max-turns', '1', '--continue');
  expect(further.exitCode).toBe(8);
  expect(further.stderr).toContain(
    'acp-tui: This session has had 1 of 1 turns (limits.sessionTurns). To go on',
  );
  // The prompt that was not sent is no turn.
  expect(await run('--max-turns', '2', '--continue')).toMatchObject({exitCode: 0});
});

test('--max-time ends a turn in which nothing happens', async () => {
  const {exitCode, stderr} = await runsOf(untilCancelled)('--max-time', '0.01');
  expect(exitCode).toBe(8);
  expect(stderr).toMatch(/The turns of this session have taken .* of 600 ms \(limits\.sessionMinutes\)/);
});

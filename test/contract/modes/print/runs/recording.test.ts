import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {recordingLineSchema} from '../../../../../src/recording/format.ts';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';
import {agentOption, runHere} from '../../../../support/program/run-program.ts';

/** Records a run of the built program; every line must follow the schema. */
async function recordRun(args: readonly string[]) {
  const file = join(temporaryFolder(), 'wire.ndjson');
  const run = await runHere(['-p', '--record', file, ...args]);
  const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
  return {run, lines: rows.map((row) => recordingLineSchema.parse(JSON.parse(row)))};
}

test('a recorded run contains its start, every message of both sides in order, and its end', async () => {
  const {run, lines} = await recordRun(['hello there', agentOption('echo')]);
  expect(run).toEqual({exitCode: 0, stdout: 'hello there\n', stderr: ''});
  const methods = lines.map((line) => ('m' in line && !Array.isArray(line.m) ? line.m['method'] : line.d));
  expect(methods).toEqual([
    '#',
    'initialize',
    undefined,
    'session/new',
    undefined,
    'session/prompt',
    'session/update',
    'session/update',
    undefined,
    '#',
  ]);
  expect(lines.at(-1)).toMatchObject({e: 'exit', code: 0, asked: true});
});

test('a crash is recorded with its last output and its exit code', async () => {
  const {lines} = await recordRun(['go', agentOption('crash')]);
  // Two pipes: what the agent wrote on stderr may be read before or after its last message.
  expect(lines).toContainEqual(expect.objectContaining({d: '!', text: 'fake-agent: out of cheese'}));
  expect(lines.findLast(({d}) => d === '<')).toMatchObject({m: {params: {update: {toolCallId: 'c-1'}}}});
  expect(lines.at(-1)).toMatchObject({e: 'exit', code: 7, asked: false});
});

test('a recording that is not writable fails before the agent starts', async () => {
  const {exitCode, stderr} = await runHere(['-p', 'x', '--record', '/nowhere/x.ndjson', agentOption('echo')]);
  expect(exitCode).not.toBe(0);
  expect(stderr).toMatch(/\/nowhere\/x\.ndjson/);
});

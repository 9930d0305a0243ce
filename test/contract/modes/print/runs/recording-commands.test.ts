import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from 'vitest';
import {PROGRAM} from '../../../../support/driver/lend-process.ts';
import {temporaryFolder} from '../../../../support/folders/temporary-folder.ts';
import {agentOption, runHere} from '../../../../support/program/run-program.ts';

function served(file: string, ...options: readonly string[]): string {
  const words = [process.execPath, PROGRAM, 'replay', file, '--serve', ...options];
  return `--agent=${words.map((word) => JSON.stringify(word)).join(' ')}`;
}

async function recordingOf(...args: readonly string[]) {
  const file = join(temporaryFolder(), 'wire.ndjson');
  const run = await runHere(['-p', '--record', file, ...args]);
  return {file, run};
}

describe('a recording served as an agent', () => {
  test('reproduces the run with output, tools and exit code', async () => {
    const args = ['--approve', 'all', '--include', 'tools', 'run echo one'];
    const {file, run} = await recordingOf(...args, agentOption('terminal'));
    const again = await runHere(['-p', ...args, served(file)]);
    expect(again).toEqual(run);
    expect(run.stdout).not.toBe('');
  });

  test('crashes where the agent crashed', async () => {
    const {file, run} = await recordingOf('go', agentOption('crash'));
    const again = await runHere(['-p', 'go', served(file)]);
    expect(again.exitCode).toBe(run.exitCode);
    expect(again.stderr).toContain('fake-agent: out of cheese');
  });

  test('reports requests that were not recorded', async () => {
    const {file} = await recordingOf('hello', agentOption('echo'));
    const {exitCode, stderr} = await runHere(['-p', 'hello', '--mode', 'plan', served(file)]);
    expect([exitCode, stderr]).not.toEqual([0, '']);
  });

  test('that does not exist, or lacks the process, is a usage error', async () => {
    const {file} = await recordingOf('hello', agentOption('echo'));
    expect(await runHere(['replay', '--serve', '/nowhere'])).toMatchObject({exitCode: 2, stdout: ''});
    const second = await runHere(['replay', '--serve', file, '--run', '2']);
    expect(second).toMatchObject({exitCode: 2, stderr: expect.stringContaining('no agent process 2')});
  });
});

describe('inspect', () => {
  test('prints a table of requests with latency, notifications and the process', async () => {
    const {file} = await recordingOf('hello there', agentOption('echo'));
    const {stdout, stderr, exitCode} = await runHere(['inspect', file]);
    expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
    const rows = stdout.trimEnd().split('\n');
    expect(rows[0]).toMatch(/^ *0\.000 # start/);
    expect(rows[1]).toMatch(/> initialize #0 +[\d.]+ m?s ok$/);
    expect(rows[3]).toMatch(/> session\/prompt #2 +[\d.]+ m?s end_turn$/);
    expect(rows[4]).toMatch(/< session\/update agent_message_chunk +hello/);
    expect(rows.at(-1)).toMatch(/# exit +code 0, stopped by the client$/);
  });

  test('filters by words, also as JSON', async () => {
    const {file} = await recordingOf('hello there', agentOption('echo'));
    const {stdout} = await runHere(['inspect', '--json', file, 'prompt', 'end_turn']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((row) => JSON.parse(row)),
    ).toMatchObject([
      {kind: 'request', method: 'session/prompt', answer: {message: {result: {stopReason: 'end_turn'}}}},
    ]);
  });

  test('escapes in its JSON what could control a terminal', async () => {
    const {file} = await recordingOf('a\u009b31m\u202eb', agentOption('echo'));
    const {stdout} = await runHere(['inspect', '--json', file]);
    expect(stdout).toContain(String.raw`a\u009b31m\u202eb`);
    expect(stdout).not.toMatch(/[\x7f-\x9f\u202e]/);
  });

  test('reports what acp-tui corrects, what violates the schema, and unreadable lines', async () => {
    const file = join(temporaryFolder(), 'wire.ndjson');
    const update = {sessionUpdate: 'tool_call', toolCallId: 'c', title: 'x', kind: 'sorcery'};
    const lines = [
      {t: 1, d: '<', m: {method: 'session/update', params: {sessionId: 's', update}}},
      {
        t: 2,
        d: '>',
        m: {jsonrpc: '2.0', id: 1, method: 'session/prompt', params: {sessionId: 's', prompt: []}},
      },
      {t: 3, d: '<', m: {jsonrpc: '2.0', id: 1, result: {stopReason: 7}}},
    ];
    writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnonsense\n`);
    const {stdout, stderr} = await runHere(['inspect', file]);
    expect(stdout).toMatch(
      /session\/update tool_call.*\n +corrected: missing-version \(tool-calls#creating\)\n +corrected: tool-kind/,
    );
    expect(stdout).toMatch(
      /session\/prompt #1.*\n +(?:corrected: stop-reason|violation: result\.stopReason)/,
    );
    expect(stderr).toMatch(/1 unreadable lines of/);
  });

  test('finds no fault in a conforming recording', async () => {
    const wire = fileURLToPath(new URL('../../../../../fixtures/wire/codex-write.ndjson', import.meta.url));
    const {stdout} = await runHere(['inspect', wire]);
    expect(stdout).not.toMatch(/corrected|violation/);
    expect(stdout.split('\n').length).toBeGreaterThan(10);
    expect(readFileSync(wire, 'utf8')).toContain('stopReason');
  });
});

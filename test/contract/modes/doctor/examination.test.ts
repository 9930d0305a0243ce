import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Report} from '../../../../src/modes/doctor/report.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';
import {examineScripted, fakeAgent} from './examined.ts';

describe('without permission to send prompts', () => {
  test('sends nothing that may cost money and skips what needs it', async () => {
    let asked = 0;
    const sent: string[] = [];
    const {checks, exitCode} = await examineScripted(['breaks', 'nothing'], {
      mayPrompt: () => Promise.resolve(++asked > 99),
      onWire: (event) => void (event.kind === 'message' && sent.push(event.line)),
    });
    expect(asked).toBe(1);
    expect(sent.join('\n')).not.toContain('session/prompt');
    const untried = checks.filter(({result}) => result === 'not_tried').map(({id}) => id);
    expect(untried).toEqual(expect.arrayContaining(['session/prompt', 'streaming', 'session/cancel']));
    expect(exitCode).toBe(0);
  });
});

describe('signing in', () => {
  const signIns = (lines: readonly string[]) =>
    lines.filter((line) => line.includes('"authenticate"')).length;

  test('is skipped unless a method is named', async () => {
    const sent: string[] = [];
    const record = {onWire: (event: {kind: string; line?: string}) => void sent.push(event.line ?? '')};
    const report = await examineScripted(['auth'], record);
    expect(report.exitCode).toBe(6);
    expect(report.checks.find(({id}) => id === 'authenticate')?.note).toContain('--auth tries one');
    expect(signIns(sent)).toBe(0);
  });

  test('uses the named method', async () => {
    const sent: string[] = [];
    const {checks} = await examineScripted(['auth'], {
      authMethod: 'token',
      onWire: (event) => void (event.kind === 'message' && sent.push(event.line)),
    });
    expect(checks).toContainEqual(expect.objectContaining({id: 'authenticate', result: 'worked'}));
    expect(checks).toContainEqual(expect.objectContaining({id: 'session/new', result: 'worked'}));
    expect(signIns(sent)).toBe(1);
  });

  test("uses values from the agent's environment", async () => {
    const {checks} = await examineScripted([], {
      authMethod: 'key',
      agent: fakeAgent(['sign-in', 'no-file'], {FAKE_KEY: 'right'}),
    });
    expect(checks).toContainEqual(expect.objectContaining({id: 'authenticate', result: 'worked'}));
    expect(checks).toContainEqual(expect.objectContaining({id: 'session/new', result: 'worked'}));
  });

  test('in a terminal is not left to the agent', async () => {
    const {checks} = await examineScripted(['auth'], {authMethod: 'login'});
    expect(checks).toContainEqual(
      expect.objectContaining({result: 'not_tried', note: 'login is of type terminal'}),
    );
  });
});

test('an interruption ends it with the findings so far', async () => {
  const controller = new AbortController();
  const report = await examineScripted(['breaks', 'never-lists'], {
    signal: controller.signal,
    onWire(event) {
      if (event.kind === 'message' && event.line.includes('session/list'))
        controller.abort(new Error('stop'));
    },
  });
  expect(report.interrupted).toBe(true);
  expect(report.checks).toContainEqual(expect.objectContaining({id: 'session/prompt', result: 'worked'}));
  expect(report.checks.map(({id}) => id)).not.toContain('session/cancel');
});

test('an agent that does not start, or is none, is reported with its own output', async () => {
  const {checks, exitCode} = await examineScripted(['exits-early']);
  expect(checks.find(({id}) => id === 'initialize')).toMatchObject({
    result: 'failed',
    note: expect.stringContaining('FAKE_API_KEY is not set'),
  });
  expect(exitCode).toBe(1);
  const missing = {label: 'x', command: 'surely-no-such-agent', args: [], env: {}};
  const report = await examineScripted([], {agent: missing});
  expect(report.checks).toEqual([expect.objectContaining({id: 'launch', result: 'failed'})]);
});

test('nothing is written into the folder', async () => {
  const cwd = temporaryFolder();
  await examineScripted(['breaks', 'not-offered'], {cwd});
  expect(readdirSync(cwd)).toEqual([]);
});

test('progress lists what is tried, and a missing agent comes with advice', async () => {
  const reported: string[] = [];
  const {checks} = await examineScripted([], {
    agent: {label: 'x', command: 'no-such-agent', args: [], env: {}},
    onProgress: (what) => void reported.push(what),
  });
  expect(reported).toEqual(['starting', 'stopping the agent']);
  expect(checks[0]).toMatchObject({result: 'failed', note: expect.stringContaining('acp-tui agents search')});
});

describe('version 2 of the protocol', () => {
  const v2 = join(import.meta.dirname, '../../../../fixtures/v2-agent/main.ts');
  const outcomes = ({checks}: Report) => Object.fromEntries(checks.map(({id, result}) => [id, result]));

  test('is examined if it is asked for', async () => {
    const report = await examineScripted([], {
      agent: {label: 'v2', command: process.execPath, args: [v2], env: {}},
      protocolVersion: 2,
    });
    expect(report.agent.protocolVersion).toBe(2);
    expect(outcomes(report)).toMatchObject({
      initialize: 'worked',
      'session/prompt': 'worked',
      'session/resume': 'worked',
      negotiation: 'worked',
    });
  });

  test('that is offered to an agent of version 1 is reported, and that is examined', async () => {
    const report = await examineScripted(['echo'], {protocolVersion: 2});
    expect(report.agent.protocolVersion).toBe(1);
    expect(report.checks).toContainEqual(
      expect.objectContaining({
        id: 'initialize',
        result: 'worked',
        note: expect.stringContaining('protocol version 1 (2 was offered)'),
      }),
    );
    expect(outcomes(report)).toMatchObject({'session/prompt': 'worked', negotiation: 'worked'});
  });
});

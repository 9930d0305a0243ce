import {appendFileSync, chmodSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {
  openRecording,
  type RecordingOptions,
  type WireRecorder,
} from '../../../../src/storage/recordings/write-recording.ts';
import {runsOf, readRecording, type WireEvent} from '../../../../src/recording/format.ts';
import {temporaryFolder} from '../../../support/folders/temporary-folder.ts';

const started: WireEvent = {
  kind: 'started',
  pid: 1,
  at: 1000,
  agent: {label: 'some agent', command: 'agent', args: ['--api-key=abcdefgh']},
  cwd: '/home/user/project',
};

function said(line: string, at = 1010): WireEvent {
  return {kind: 'message', pid: 1, direction: 'from_agent', at, line};
}

function open(options: Partial<RecordingOptions> = {}): WireRecorder & {file: string; text: () => string} {
  const file = options.file ?? join(temporaryFolder(), 'wire.ndjson');
  const opened = openRecording({file, mask: true, env: {}, onProblem: () => {}, ...options});
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return {...opened.value, file, text: () => readFileSync(file, 'utf8')};
}

test('a message is recorded exactly as sent, before the call returns, in a private file', () => {
  const {record, file, text} = open();
  record(started);
  record(said('{"id":1.0, "result" : {"n":12345678901234567890}}'));
  expect(text().split('\n')[1]).toBe(
    '{"t":10,"d":"<","m":{"id":1.0, "result" : {"n":12345678901234567890}}}',
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('an existing file is appended to, also after a torn line, and becomes private', () => {
  const first = open();
  first.record(started);
  first.close();
  appendFileSync(first.file, '{"t":3,"d":"<","m":{"torn');
  chmodSync(first.file, 0o644);
  const second = open({file: first.file});
  second.record(started);
  second.record(said('{"id":1}'));
  second.close();
  const {lines, unreadable} = readRecording(second.text());
  expect(lines.map(({d}) => d)).toEqual(['#', '#', '<']);
  expect(unreadable).toBe(1);
  expect(statSync(first.file).mode & 0o777).toBe(0o600);
});

test('a torn line at the end is skipped and not counted', () => {
  const {record, text} = open();
  record(started);
  expect(readRecording(`${text()}{"t":1,"d":"<","m":{"id`)).toMatchObject({
    lines: [{e: 'start'}],
    unreadable: 0,
  });
});

test('stderr is recorded in whole lines, the last one when the agent has exited', () => {
  const {record, text} = open();
  record(started);
  for (const piece of ['warn', 'ing\nlast ', 'words'])
    record({kind: 'stderr', pid: 1, at: 1005, text: piece});
  record({kind: 'exited', pid: 1, at: 1020, code: 7, signal: null, asked: false});
  expect(readRecording(text()).lines.slice(1)).toEqual([
    {t: 5, d: '!', text: 'warning'},
    {t: 20, d: '!', text: 'last words'},
    {t: 20, d: '#', e: 'exit', code: 7, signal: null, asked: false},
  ]);
});

test('agents that run at the same time are distinguished', () => {
  const {record, text} = open();
  record(started);
  record({...started, pid: 2, at: 1500});
  record(said('{"id":1}'));
  record({...said('{"id":2}', 1501), pid: 2});
  expect(runsOf(readRecording(text()).lines)).toMatchObject([
    [{e: 'start'}, {t: 10, m: {id: 1}}],
    [
      {e: 'start', p: 2},
      {t: 1, p: 2, m: {id: 2}},
    ],
  ]);
});

test('output that is no message is recorded as text', () => {
  const {record, text} = open();
  record(started);
  for (const line of ['Welcome', '42', '"x"']) record(said(line));
  expect(readRecording(text()).lines.slice(1)).toEqual(
    ['Welcome', '42', '"x"'].map((text) => ({t: 10, d: '<', text})),
  );
});

describe('credentials', () => {
  const secrets = [
    ['under a name that says so', {_meta: {'api-key': 'dummy'}}, 'dummy'],
    ['in pairs of name and value', {env: [{name: 'GITHUB_TOKEN', value: 'plain words'}]}, 'plain words'],
    ['in texts with quotes behind them', {text: 'token=abcdefgh\\"quoted'}, 'abcdefgh'],
    ['of the environment', {text: 'it is correct horse'}, 'correct horse'],
    ['in lists', {headers: {authorization: ['Bearer 1234567890']}}, '1234567890'],
  ] as const;

  test.each(secrets)('%s are masked, and the line stays valid', (_where, params, secret) => {
    const {record, text} = open({env: {DB_PASSWORD: 'correct horse'}});
    record(started);
    record(said(JSON.stringify({method: 'x', params})));
    expect(text()).not.toContain(secret);
    expect(text()).toContain('[masked]');
    expect(readRecording(text())).toMatchObject({lines: [{e: 'start'}, {m: {method: 'x'}}], unreadable: 0});
  });

  test('in the command of the agent and on stderr are masked', () => {
    const {record, text} = open();
    record(started);
    record({kind: 'stderr', pid: 1, at: 1000, text: 'using sk-12345678901234567890\n'});
    expect(text()).not.toMatch(/abcdefgh|sk-1234/);
  });

  test('are kept on request', () => {
    const {record, text} = open({mask: false});
    record(started);
    record(said('{"params":{"apiKey":"dummy"}}'));
    expect(text()).toMatch(/--api-key=abcdefgh.*"apiKey":"dummy"/s);
  });

  test('token counts are no credentials', () => {
    const {record, text} = open();
    record(said('{"params":{"inputTokens":12,"tokens":{"used":3}}}'));
    expect(text()).toContain('{"inputTokens":12,"tokens":{"used":3}}');
  });
});

test('a file of another kind is rejected and unchanged', () => {
  const file = join(temporaryFolder(), 'README.md');
  writeFileSync(file, '# Mine\n');
  expect(openRecording({file, mask: true, env: {}, onProblem: () => {}})).toMatchObject({
    ok: false,
    failure: {kind: 'file', problem: 'it exists and is not a recording'},
  });
  expect(readFileSync(file, 'utf8')).toBe('# Mine\n');
});

test('a folder that does not exist is a failure and is not created', () => {
  const file = join(temporaryFolder(), 'missing', 'wire.ndjson');
  expect(openRecording({file, mask: true, env: {}, onProblem: () => {}})).toMatchObject({ok: false});
});

test('what is not a regular file is rejected', () => {
  const opened = openRecording({file: '/dev/null', mask: true, env: {}, onProblem: () => {}});
  expect(opened).toMatchObject({ok: false, failure: {problem: 'it is not a regular file'}});
});

test('a full disk is reported once and ends the recording, not the program', () => {
  const problems: unknown[] = [];
  const {record} = open({
    onProblem: (problem) => problems.push(problem),
    write() {
      throw new Error('no space left');
    },
  });
  record(started);
  record(said('{}'));
  expect(problems).toEqual([{kind: 'not_written', what: expect.any(String), problem: 'no space left'}]);
});

import {expect, test} from 'vitest';
import {recordingText} from '../../../src/recording/exchanges.ts';
import {readRecording, type RecordingLine} from '../../../src/recording/format.ts';
import {linesOfSession} from '../../../src/recording/session-lines.ts';

const start = (p?: number): RecordingLine => ({
  t: 0,
  ...(p !== undefined && {p}),
  d: '#',
  e: 'start',
  v: 1,
  at: 1,
  program: 'acp-tui 0.1.0',
  agent: {label: 'a', command: 'a', args: []},
  cwd: '/project',
});
const opened = (sessionId: string, p?: number): RecordingLine => ({
  t: 1,
  ...(p !== undefined && {p}),
  d: '<',
  m: {jsonrpc: '2.0', id: 1, result: {sessionId}},
});
const stderr = (text: string, p?: number): RecordingLine => ({
  t: 2,
  ...(p !== undefined && {p}),
  d: '!',
  text,
});

test('a session with several agents has the processes in which it was open, whole and in order', () => {
  const lines = [
    start(),
    start(2),
    opened('other', 2),
    opened('mine'),
    stderr('mine'),
    stderr('of the other', 2),
    start(),
    opened('third'),
    start(2),
    opened('mine', 2),
  ];
  expect(linesOfSession(lines, 'mine')).toEqual([
    start(),
    opened('mine'),
    stderr('mine'),
    start(2),
    opened('mine', 2),
  ]);
  expect(linesOfSession(lines, 'none')).toEqual([]);
});

test("a session of a shared process has its own messages and its subagents', and no others", () => {
  const ask = (id: number, method: string, params: object): RecordingLine => ({
    t: 1,
    d: '>',
    m: {jsonrpc: '2.0', id, method, params},
  });
  const answer = (id: number, result: object): RecordingLine => ({
    t: 2,
    d: '<',
    m: {jsonrpc: '2.0', id, result},
  });
  const reported = (sessionId: string, update: object): RecordingLine => ({
    t: 3,
    d: '<',
    m: {jsonrpc: '2.0', method: 'session/update', params: {sessionId, update}},
  });
  const common = [start(), ask(0, 'initialize', {}), answer(0, {protocolVersion: 1})];
  const open = (id: number, sessionId: string) => [ask(id, 'session/new', {}), answer(id, {sessionId})];
  const mine = [
    ask(3, 'session/prompt', {sessionId: 'mine'}),
    reported('child', {sessionUpdate: 'plan'}),
    reported('mine', {sessionUpdate: 'subagent_update', sessionId: 'child'}),
    answer(3, {stopReason: 'end_turn'}),
  ];
  const others = [
    ask(4, 'session/prompt', {sessionId: 'other'}),
    reported('other', {sessionUpdate: 'plan'}),
    answer(4, {stopReason: 'end_turn'}),
  ];
  const lines = [...common, ...open(1, 'mine'), ...open(2, 'other'), ...mine, ...others, stderr('common')];
  expect(linesOfSession(lines, 'mine')).toEqual([...common, ...open(1, 'mine'), ...mine, stderr('common')]);
  expect(linesOfSession(lines, 'other')).toEqual([
    ...common,
    ...open(2, 'other'),
    ...others,
    stderr('common'),
  ]);
});

test('the text of a recording is parsed back unchanged', () => {
  const lines = [start(), opened('mine'), stderr('"quoted"\u2028')];
  expect(readRecording(recordingText(lines))).toEqual({lines, unreadable: 0});
});

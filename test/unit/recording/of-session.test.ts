import {expect, test} from 'vitest';
import {linesOfSession, recordingText} from '../../../src/recording/exchanges.ts';
import {readRecording, type RecordingLine} from '../../../src/recording/format.ts';

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

test('of several agents a session has the processes in which it was open, whole and in order', () => {
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

test('the text of a recording is read again as it was', () => {
  const lines = [start(), opened('mine'), stderr('"quoted"\u2028')];
  expect(readRecording(recordingText(lines))).toEqual({lines, unreadable: 0});
});

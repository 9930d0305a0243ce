import {describe, expect, test} from 'vitest';
import {
  detailOf,
  titleOf,
  dataOf,
  fullText,
  filterExchanges,
  tableOf,
  timeOf,
} from '../../../src/recording/describe.ts';
import {exchangesOf} from '../../../src/recording/exchanges.ts';
import type {RecordingLine} from '../../../src/recording/format.ts';

const start: RecordingLine = {
  t: 0,
  d: '#',
  e: 'start',
  v: 1,
  at: 0,
  program: 'acp-tui',
  agent: {label: 'a', command: 'agent', args: ['--acp']},
  cwd: '/',
};
const to = (t: number, m: Record<string, unknown>): RecordingLine => ({t, d: '>', m});
const from = (t: number, m: Record<string, unknown>): RecordingLine => ({t, d: '<', m});
const update = (t: number, update: object) => from(t, {method: 'session/update', params: {update}});

/** The list: title and detail of each. */
function reported(...lines: readonly RecordingLine[]): string[] {
  return exchangesOf(lines).map((exchange) => `${titleOf(exchange)}: ${detailOf(exchange)}`);
}

describe('a request', () => {
  test.each([
    [[to(1, {id: 1, method: 'a'}), from(5, {id: 1, result: {}})], ['a #1: 4 ms ok']],
    [[to(1, {id: 1, method: 'a'})], ['a #1: no answer']],
    // Both sides count separately.
    [
      [
        to(1, {id: 1, method: 'a'}),
        from(2, {id: 1, method: 'b'}),
        from(3, {id: 1, result: {stopReason: 'end_turn'}}),
        to(9, {id: 1, result: {outcome: {outcome: 'selected', optionId: 'yes'}}}),
      ],
      ['a #1: 2 ms end_turn', 'b #1: 7 ms yes'],
    ],
    [
      [to(1, {id: 1, method: 'a'}), from(2, {id: '1', result: {}})],
      ['a #1: no answer', 'answer to unknown #1: '],
    ],
    [
      [to(1, {id: 1, method: 'a'}), from(2001, {id: 1, error: {code: -32000, message: 'sign in'}})],
      ['a #1: 2.0 s error -32000 sign in'],
    ],
    // Another process counts from the start.
    [
      [to(1, {id: 1, method: 'a'}), start, from(2, {id: 1, result: {}})],
      ['a #1: no answer', 'start: agent --acp', 'answer to unknown #1: '],
    ],
    [
      [
        start,
        to(1, {id: 1, method: 'a'}),
        {...start, p: 2},
        {...from(3, {id: 1, result: {}}), p: 2},
        from(4, {id: 1, result: {}}),
      ],
      ['start: agent --acp', 'a #1: 3 ms ok', 'start: agent --acp', 'answer to unknown #1: '],
    ],
    // A reused ID: the response is for the newer request.
    [
      [to(1, {id: 1, method: 'a'}), to(5, {id: 1, method: 'b'}), from(6, {id: 1, result: {}})],
      ['a #1: no answer', 'b #1: 1 ms ok'],
    ],
  ])('is paired with its response: %j', (lines, expected) => {
    expect(reported(...lines)).toEqual(expected);
  });
});

test.each([
  [
    update(1, {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'Hi\u001b[2J'}}),
    /agent_message_chunk: Hi/,
  ],
  [update(1, {sessionUpdate: 'tool_call', title: 'Run', status: 'pending'}), /tool_call: Run pending/],
  [{t: 1, d: '<', text: 'Welcome'}, /^output: Welcome$/],
  [{t: 1, d: '!', text: 'warning'}, /^stderr: warning$/],
  [{t: 1, d: '<', m: [{id: 1}]}, /^batch: \[\{"id":1\}\]$/],
  [{t: 1, d: '#', e: 'exit', code: null, signal: 'SIGKILL', asked: false}, /^exit: SIGKILL$/],
  [{t: 1, d: '#', e: 'exit', code: 0, signal: null, asked: true}, /^exit: code 0, stopped by the client$/],
] as const)('%j is printed in a line without control characters', (line, expected) => {
  const [text = ''] = reported(line as RecordingLine);
  expect(text).toMatch(expected);
  expect(text).not.toContain('\u001b');
});

describe('the table', () => {
  const exchanges = exchangesOf([
    to(3, {id: 0, method: 'initialize'}),
    from(1044, {id: 0, result: {}}),
    {t: 2000, d: '!', text: 'Warning'},
  ]);
  const findingsOf = ({index}: {index: number}) =>
    index === 0 ? ([{kind: 'corrected', text: 'missing-version', line: 1}] as const) : [];

  test('has a line for each, and the findings below it', () => {
    expect(tableOf(exchanges, findingsOf)).toEqual([
      '0.003 > initialize #0  1.0 s ok',
      '         corrected: missing-version',
      '2.000 ! stderr         Warning',
    ]);
  });

  test.each([
    [['warn'], [2]],
    [['INITIALIZE'], [0]],
    [['corrected'], [0]],
    [['initialize', 'warn'], []],
    [[], [0, 2]],
  ])('keeps what contains the words %j', (words, expected) => {
    expect(filterExchanges(exchanges, words, findingsOf).map(({index}) => index)).toEqual(expected);
  });

  test('has a whole exchange as data and as text', () => {
    const [first] = exchanges;
    expect(first && dataOf(first, [])).toEqual({
      line: 1,
      run: 1,
      t: 3,
      from: 'client',
      kind: 'request',
      method: 'initialize',
      id: 0,
      message: {id: 0, method: 'initialize'},
      answer: {line: 2, latencyMs: 1041, message: {id: 0, result: {}}},
    });
    expect(first && fullText(first, [])).toBe(
      '{\n  "id": 0,\n  "method": "initialize"\n}\n\nAnswer after 1041 ms:\n\n{\n  "id": 0,\n  "result": {}\n}',
    );
  });
});

test('the times of several processes count from the start of the first', () => {
  const second = {...start, at: 60_000, p: 2};
  const exchanges = exchangesOf([
    start,
    to(59_000, {method: 'a'}),
    second,
    {...to(10, {method: 'b'}), p: 2},
    to(60_100, {method: 'c'}),
  ]);
  expect(exchanges.map(timeOf)).toEqual(['0.000', '59.000', '60.000', '60.010', '60.100']);
});

import {describe, expect, test} from 'vitest';
import {exchangesOf} from '../../../src/recording/exchanges.ts';
import {brokenRules} from '../../../src/recording/rules/index.ts';
import type {RecordingLine} from '../../../src/recording/format.ts';
import {
  type Line,
  update,
  ask,
  answer,
  asks,
  chunk,
  call,
  callUpdate,
  commands,
  cancel,
  beginning,
  recordingOf,
} from './lines.ts';

/** The findings, each as `<line, counted after the start> <rule> <kind>`. */
function found(...lines: readonly Line[]): string[] {
  return namesOf([...beginning, ...lines]);
}

function namesOf(lines: readonly Line[]): string[] {
  const broken = brokenRules(exchangesOf(recordingOf(lines)));
  return [...broken]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([index, findings]) =>
      findings.map(({rule, kind}) => `${index - beginning.length} ${rule} ${kind}`),
    );
}

test('a valid session breaks no rule', () => {
  expect(
    found(
      ask(2, 'session/prompt'),
      update(chunk),
      update(call),
      asks(0, 'fs/read_text_file', {path: '/p/a', line: 1}),
      {to: {id: 0, result: {content: ''}}},
      asks(1, 'terminal/create', {command: 'ls', cwd: '/p'}),
      {to: {id: 1, result: {terminalId: 't'}}},
      update({
        ...callUpdate,
        content: [{type: 'terminal', terminalId: 't'}],
        locations: [{path: 'C:\\p', line: 3}],
      }),
      answer(2, {stopReason: 'end_turn'}),
      update(commands),
      ask(3, 'session/prompt'),
      cancel,
      update(chunk),
      answer(3, {stopReason: 'cancelled'}),
      {exit: true, t: 60_000},
    ),
  ).toEqual([]);
});

test.each([
  [1, ['1 known-tool-call violation', '1 known-terminal violation', '4 within-turn violation']],
  [2, []],
])('what version 2 allows is no violation there: version %d', (protocolVersion, expected) => {
  const [start, , ...opening] = beginning;
  const terminal = {...callUpdate, content: [{type: 'terminal', terminalId: 't'}]};
  const turn = [ask(2, 'session/prompt'), update(terminal), cancel, answer(2, {stopReason: 'cancelled'})];
  const lines = [start!, answer(0, {protocolVersion}), ...opening, ...turn, update(chunk)];
  expect(namesOf(lines)).toEqual(expected);
});

const prompted = ask(2, 'session/prompt');
const permission = (options: readonly object[]) =>
  asks(7, 'session/request_permission', {toolCall: {toolCallId: 'c'}, options});
const reject = {optionId: 'n', name: 'No', kind: 'reject_once'};

describe('a rule is broken by', () => {
  test.each<[string, readonly Line[], readonly string[]]>([
    ['output that is no message', [{prints: 'Welcome'}], ['0 clean-output violation']],
    ['the ID of an open request', [asks(5, '_x'), asks(5, '_y')], ['1 request-ids violation']],
    ['a reused ID', [asks(5, '_x'), {to: {id: 5, result: {}}}, asks(5, '_y')], ['2 request-ids remark']],
    [
      'an unanswered request',
      [ask(5, 'session/list', {}), {exit: true, t: 60_000}],
      ['0 answered violation'],
    ],
    ['a request shortly before the end, not', [ask(5, 'session/list', {}), {exit: true}], []],
    [
      'a response without a request',
      [answer(99), answer(1)],
      ['0 asked-for violation', '1 asked-for violation'],
    ],
    [
      'a response to an unreadable request, not',
      [{to: {id: null, error: {code: -32_700, message: 'Parse error'}}}],
      [],
    ],
    [
      'a method that was not advertised',
      [asks(0, 'fs/write_text_file', {path: '/p/a'}), asks(1, 'elicitation/create')],
      ['0 offered-methods violation', '1 offered-methods violation'],
    ],
    ['an update of an unknown session', [update(commands, 'other')], ['0 open-session violation']],
    [
      'a request about a closed session',
      [ask(4, 'session/close'), answer(4), asks(0, 'terminal/output', {terminalId: 't'})],
      ['2 open-session violation'],
    ],
    [
      'a resume that replays everything',
      [ask(4, 'session/resume'), update({...chunk, sessionUpdate: 'user_message_chunk'}), answer(4)],
      ['1 silent-resume violation'],
    ],
    [
      'a list with sessions of other folders',
      [ask(4, 'session/list', {cwd: '/p'}), answer(4, {sessions: [{sessionId: 'a', cwd: '/q'}]})],
      ['1 listed-sessions violation'],
    ],
    [
      'an endless list',
      [ask(4, 'session/list', {cursor: 'x'}), answer(4, {sessions: [], nextCursor: 'x'})],
      ['1 listed-sessions violation'],
    ],
    ['text before a turn', [update(chunk)], ['0 within-turn remark']],
    [
      'text after a turn',
      [prompted, answer(2, {stopReason: 'end_turn'}), update(chunk)],
      ['2 within-turn remark'],
    ],
    [
      'an update after the response to a cancelled prompt',
      [prompted, update(call), cancel, answer(2, {stopReason: 'cancelled'}), update(callUpdate)],
      ['3 finished-tool-calls remark', '4 within-turn violation'],
    ],
    [
      'another response to a cancelled prompt',
      [prompted, cancel, answer(2, {stopReason: 'end_turn'})],
      ['2 cancelled-prompt violation'],
    ],
    [
      'an error as the response to a cancelled prompt',
      [prompted, cancel, {from: {id: 2, error: {code: -32603, message: 'aborted'}}}],
      ['2 cancelled-prompt violation'],
    ],
    [
      'a late response to a cancelled prompt',
      [prompted, cancel, {...answer(2, {stopReason: 'cancelled'}), t: 60_000}],
      ['2 cancelled-prompt violation'],
    ],
    [
      'no response to a cancelled prompt',
      [prompted, cancel, {exit: true, t: 60_000}],
      ['1 cancelled-prompt violation'],
    ],
    [
      'a response that crossed the cancellation, not',
      [prompted, {...cancel, t: 10_000}, {...answer(2, {stopReason: 'end_turn'}), t: 10_010}],
      [],
    ],
    ['an update of an unknown tool call', [prompted, update(callUpdate)], ['1 known-tool-call violation']],
    [
      'an update of a tool call from a permission request, not',
      [prompted, permission([reject]), update(callUpdate)],
      [],
    ],
    [
      'a terminal that the client did not create',
      [prompted, update({...call, content: [{type: 'terminal', terminalId: 'mine'}]})],
      ['1 known-terminal violation'],
    ],
    [
      'two options with one ID, or of one kind',
      [prompted, permission([reject, reject])],
      ['1 permission-choices violation', '1 permission-choices remark'],
    ],
    [
      'a request that cannot be rejected',
      [prompted, permission([{optionId: 'y', name: 'Yes', kind: 'allow_once'}])],
      ['1 permission-choices remark'],
    ],
    [
      'a relative path',
      [
        prompted,
        asks(0, 'fs/read_text_file', {path: 'a.txt'}),
        update({
          ...call,
          locations: [{path: 'file:///p/a'}],
          content: [{type: 'diff', path: '~/a', newText: ''}],
        }),
      ],
      ['1 absolute-paths violation', '2 absolute-paths violation', '2 absolute-paths violation'],
    ],
    [
      'line 0',
      [
        prompted,
        update({...call, locations: [{path: '/a', line: 0}]}),
        asks(0, 'fs/read_text_file', {path: '/a', line: 0}),
      ],
      ['1 line-numbers violation', '2 line-numbers violation'],
    ],
    [
      'an unknown mode',
      [
        ask(4, 'session/load'),
        answer(4, {modes: {currentModeId: 'ask', availableModes: [{id: 'ask', name: 'Ask'}]}}),
        update({sessionUpdate: 'current_mode_update', currentModeId: 'code'}),
      ],
      ['2 known-values violation'],
    ],
    [
      'an invalid option value',
      [
        update({
          sessionUpdate: 'config_option_update',
          configOptions: [
            {
              id: 'model',
              type: 'select',
              currentValue: 'c',
              options: [{group: 'g', options: [{value: 'a'}]}],
            },
            {id: 'fine', type: 'select', currentValue: 'a', options: [{group: 'g', options: [{value: 'a'}]}]},
          ],
        }),
      ],
      ['0 known-values violation'],
    ],
  ])('%s', (_, lines, expected) => {
    expect(found(...lines)).toEqual(expected);
  });
});

describe('before the response that names its session', () => {
  test('a message is valid, but may confuse clients', () => {
    expect(foundIn([...beginning.slice(0, 3), update(chunk), ...beginning.slice(3)])).toEqual([
      {
        kind: 'remark',
        rule: 'open-session',
        page: 'session-setup#session-id',
        line: 4,
        text: 'it was sent before the answer that names its session',
      },
    ]);
  });

  test('commands may be sent: the session exists', () => {
    expect(foundIn([...beginning.slice(0, 3), update(commands), ...beginning.slice(3)])).toEqual([]);
  });
});

function foundIn(lines: readonly Line[]) {
  return [...brokenRules(exchangesOf(recordingOf(lines))).values()].flat();
}

test('a subagent may work after the turn, and appear before it is announced while a session loads', () => {
  const named = (sessionId: string) => update({sessionUpdate: 'subagent_update', sessionId, title: 'Sub'});
  expect(
    found(
      ask(2, 'session/prompt'),
      named('child'),
      answer(2, {stopReason: 'end_turn'}),
      update(chunk, 'child'),
      ask(3, 'session/load'),
      update(chunk, 'other'),
      named('other'),
      answer(3),
    ),
  ).toEqual([]);
});

test('a process that was not recorded from its start is not judged', () => {
  expect(brokenRules(exchangesOf(recordingOf([update(callUpdate, 'other')])))).toEqual(new Map());
});

test('several processes are judged separately', () => {
  const start = (p: number): RecordingLine => ({
    t: 0,
    p,
    d: '#',
    e: 'start',
    v: 1,
    at: 0,
    program: 'x',
    cwd: '/',
    agent: {label: 'a', command: 'a', args: []},
  });
  const life = (p: number) => [start(p), ...recordingOf(beginning).map((line) => Object.assign(line, {p}))];
  expect(brokenRules(exchangesOf([...life(1), ...life(2)]))).toEqual(new Map());
});

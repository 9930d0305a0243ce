import {describe, expect, test} from 'vitest';
import {initialSession} from '../../../../src/session/initial.ts';
import {toolTitle} from '../../../../src/session/labels/tool-labels.ts';
import {plainTitle} from '../../../../src/session/labels/plain-title.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {
  entriesOf,
  opened,
  reduceEvents,
  subagent,
  update,
  type UntimedEvent,
} from '../../../support/session/build.ts';
import {eventsOf, recordings} from '../../../support/session/recorded.ts';

const QUOTING = 'Fix `foo` in `src`';
const ANY_SUBAGENT = {
  type: 'subagent',
  id: 'e',
  at: 0,
  turn: undefined,
  description: undefined,
  state: undefined,
} as const;

test.each([
  ['`ls -la`', {}, 'ls -la'],
  ['Execute `echo hi && ls`', {kind: 'execute'}, 'Execute echo hi && ls'],
  ['Run: `npm test`', {kind: 'execute', rawInput: {command: 'npm test'}}, 'Run: npm test'],
  ['Search for `foo` in `src` (2 files)', {kind: 'search'}, 'Search for foo in src (2 files)'],
  ['no quotes', {}, 'no quotes'],
  ['an odd ` one', {kind: 'read'}, 'an odd ` one'],
  [null, {}, null],
  [undefined, {}, undefined],
] as const)('%s is shown as a title without the backticks of Markdown', (title, call, shown) => {
  expect(plainTitle({title, ...call})).toBe(shown);
});

test.each([
  ['echo `date`', {kind: 'execute'}],
  ['echo `date`', {kind: 'execute', rawInput: {command: 'echo `date`'}}],
  ['`date`', {kind: 'execute', rawInput: {command: ['sh', '-c', '`date`']}}],
  ['Run `date`', {kind: 'execute', rawInput: {cmd: 'Run `date`'}}],
  ['read `x`', {}],
] as const)('%s keeps the backticks of a command', (title, call) => {
  expect(plainTitle({title, ...call})).toBe(title);
});

test.each([
  ['while it is streamed', {title: '`ls -'}, {title: '`ls -la`', sessionUpdate: 'tool_call'}],
  [
    'without its kind',
    {title: 'Search `a` (2)', kind: 'search', status: 'completed'},
    {title: 'Search `a` (2)', status: 'in_progress'},
  ],
] as const)('a call whose title is repeated %s is the same one', (_how, first, then) => {
  const call = (update: object) =>
    ({
      type: 'session_update',
      update: {sessionUpdate: 'tool_call_update', toolCallId: 'c', ...update},
    }) as UntimedEvent;
  const started = initialSession({cwd: '/x', additionalDirectories: [], at: 0});
  const begun = reduceEvents(started, {type: 'prompt_started', turn: 1, content: []});
  const state = reduceEvents(begun, call({sessionUpdate: 'tool_call', ...first}), call(then));
  expect(entriesOf(state, 'tool_call')).toHaveLength(1);
});

test.each([
  ['announced', update(subagent('s2', {title: QUOTING}))],
  [
    'of an exported session',
    {
      type: 'imported',
      title: 'Review',
      entries: [{...ANY_SUBAGENT, sessionId: 's2', title: QUOTING}],
      subagents: [{id: 's2', title: QUOTING, entries: []}],
      terminals: [],
    },
  ],
] as const)('the title of a subagent, %s, is shown without the backticks of Markdown', (_how, event) => {
  const state = reduceEvents(opened, event);
  const titles = [
    ...entriesOf(state, 'subagent'),
    ...Object.values(state.subagents).map((one) => one.session),
  ];
  expect(titles.map(({title}) => title)).toEqual(['Fix foo in src', 'Fix foo in src']);
});

describe('in a recorded session', () => {
  const place = {cwd: '/home/user/project', additionalDirectories: [], at: 0};
  /** All states of a recorded session, with what waited in them. */
  function statesOf(recording: string): readonly SessionState[] {
    let state = initialSession(place);
    return eventsOf(recording).map((event) => (state = reduceEvents(state, event)));
  }

  test.each(recordings)('%s, no title has raw backticks on a card or in a request', (recording) => {
    const states = statesOf(recording);
    const onCards = states.flatMap((state) => entriesOf(state, 'tool_call'));
    const inRequests = states
      .flatMap(({pending}) => pending)
      .flatMap((request) => (request.kind === 'permission' ? request.call : []));
    const calls = [...onCards, ...inRequests];
    expect(calls.map(toolTitle).filter((title) => title.includes('`'))).toEqual([]);
  });

  test.each([
    ['zed-claude-run.ndjson', 'echo hi && ls'],
    ['grok-run.ndjson', 'Execute echo hi && ls'],
    ['grok-edit.ndjson', 'Edit /home/user/project/notes.md'],
  ])('%s, a title is "%s"', (recording, title) => {
    expect(
      statesOf(recording)
        .flatMap((state) => entriesOf(state, 'tool_call'))
        .map((call) => call.title),
    ).toContain(title);
  });
});

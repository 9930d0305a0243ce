import {expect, test} from 'vitest';
import {updatesOf} from '../../../../src/modes/acp-agent/event-updates.ts';
import type {SessionEvent} from '../../../../src/session/events.ts';
import {reduce} from '../../../../src/session/reduce.ts';
import {createGrowingContent} from '../../../../src/session/transcript/growing-content.ts';
import {withAppended} from '../../../../src/session/transcript/patches.ts';
import {asks} from '../../../support/session/conversation.ts';
import {
  callUpdate,
  calls,
  ended,
  opened,
  prompted,
  says,
  text,
  thinks,
} from '../../../support/session/build.ts';

/** What an editor is sent of events. */
function sentOf(...events: readonly object[]) {
  return sentTo({}, ...events);
}

/** The same, to an editor one of whose prompts is steered. */
function sentTo({isSteering = false}, ...events: readonly object[]) {
  const contents = createGrowingContent();
  const held = new Set<string>();
  let now = opened;
  return events.flatMap((untimed) => {
    const event = {at: 1, ...untimed} as SessionEvent;
    const before = now;
    now = reduce(before, event);
    return updatesOf(event, {before, now, isOwn: () => true, isSteering: () => isSteering, contents, held});
  });
}

const update = (each: object) => ({type: 'session_update', update: each});
const terminal = {type: 'terminal' as const, terminalId: 't1'};
const piece = (index: number) => ({type: 'content' as const, content: text(`test ${index} passed\n`)});
const textOf = (words: string) => ({type: 'content' as const, content: text(words)});
const pieces = Array.from({length: 10}, (_, index) =>
  update(withAppended(callUpdate('c', {content: [piece(index)]}))),
);

test.each([
  ['its turn ends', ended('end_turn')],
  ['the agent rests', update({sessionUpdate: 'state_update', state: 'idle'})],
])('all of a call that has grown is sent when %s, with the text of its terminal', (_, end) => {
  const shows = update(callUpdate('c', {content: [terminal]}));
  const created = {type: 'terminal_created', terminalId: 't1', command: 'npm test', cwd: '/', pty: true};
  const sent = sentOf(prompted('go'), created, update(calls('c')), shows, ...pieces, end);
  expect(JSON.stringify(sent)).not.toContain('"terminal"');
  expect(sent.at(-1)).toMatchObject({
    toolCallId: 'c',
    content: [{type: 'content'}, ...pieces.map(() => ({}))],
  });
});

test.each([
  ['at once', []],
  ['after a thought', [thinks('Hm')]],
])('a prompt that the agent repeats %s is not sent again, but what it changes is', (_when, before) => {
  const echo = {sessionUpdate: 'user_message_chunk', content: text('go'), messageId: 'p'};
  const other = {sessionUpdate: 'user_message_chunk', content: text('Go on by yourself'), messageId: 'q'};
  const sent = sentOf(prompted('go'), ...[...before, echo, echo, says('hello'), other].map(update));
  expect(sent).toMatchObject([{sessionUpdate: 'user_message'}, ...before, {content: text('hello')}, other]);
});

test('a prompt that is added to another turn is sent, except to the editor that it is of', () => {
  const steered = {type: 'prompt_steered', content: [text('and this')]};
  expect(sentOf(prompted('go'), steered).at(-1)).toEqual({
    sessionUpdate: 'user_message_chunk',
    content: text('and this'),
  });
  expect(sentTo({isSteering: true}, prompted('go'), steered).at(-1)).toEqual({
    sessionUpdate: 'user_message',
    content: [text('and this')],
  });
});

test('a call begins with all that is known of it, also if its agent sends only updates', () => {
  const begins = callUpdate('c', {title: 'Run it', kind: 'execute', status: 'in_progress'});
  const ends = callUpdate('c', {status: 'completed'});
  expect(sentOf(prompted('go'), update(begins), update(ends)).slice(1)).toEqual([
    expect.objectContaining({...begins, sessionUpdate: 'tool_call', content: []}),
    ends,
  ]);
});

test("a command of the agent's own that printed nothing lately is sent as text when it ends", () => {
  const meta = (_meta: object) => update(callUpdate('c', {_meta: {..._meta}}));
  const sent = sentOf(
    prompted('go'),
    update(callUpdate('c', {title: 'make', content: [terminal]})),
    meta({terminal_info: {terminal_id: 't1', command: 'make'}}),
    meta({terminal_exit: {terminal_id: 't1', exit_code: 0, signal: null}}),
  );
  expect(sent.at(-1)).toMatchObject({
    toolCallId: 'c',
    content: [{content: {text: expect.stringContaining('$ make')}}],
  });
});

const whole = {type: 'content' as const, content: text('```\n$ npm test\nok\n```')};

test.each([
  ['at once', [[terminal, textOf('$ npm test'), textOf('ok\n')]]],
  ['after its end', [[terminal], [terminal, textOf('$ npm test'), textOf('ok\n')]]],
])('a command and its output are sent once if the agent sends them as texts, too: %s', (_when, contents) => {
  const [first, ...later] = contents.map((content) => update(callUpdate('c', {content})));
  const sent = sentOf(
    prompted('go'),
    {type: 'terminal_created', terminalId: 't1', command: 'npm test', cwd: '/', pty: true},
    update(calls('c', {kind: 'execute', rawInput: {command: 'npm test'}})),
    first!,
    {type: 'terminal_output', terminalId: 't1', data: 'ok\n'},
    {type: 'terminal_exited', terminalId: 't1', exit: {code: 0, signal: null}},
    ...later,
  );
  expect(sent.at(-1)).toMatchObject({toolCallId: 'c', content: [whole]});
});

test.each([
  ['the agent', false],
  ['acp-tui', true],
])('a call that a request of %s shows first begins there, and only once', (_, isOfHost) => {
  const asked = {toolCallId: 'c', title: 'Run it', kind: 'execute'};
  const request = {sessionId: 's1', toolCall: asked, options: []};
  const requested = {type: 'permission_requested', id: 'p', request, isOfHost};
  const ends = callUpdate('c', {status: 'completed'});
  const sent = sentOf(prompted('go'), requested, update(calls('c', {title: 'Run it'})), update(ends));
  expect(sent.slice(1)).toEqual([
    expect.objectContaining({...asked, sessionUpdate: 'tool_call'}),
    {toolCallId: 'c', sessionUpdate: 'tool_call_update'},
    ends,
  ]);
});

test('a call that has ended does not go on for an editor when its agent says so late', () => {
  const status = (value: 'in_progress' | 'completed') => update(callUpdate('c', {status: value}));
  const sent = sentOf(prompted('go'), update(calls('c')), status('completed'), status('in_progress'));
  expect(sent.at(-1)).toMatchObject({toolCallId: 'c', status: 'completed'});
});

test('a call that acp-tui has asked about by itself stays one for an editor when the agent reports it', () => {
  const rawInput = {command: 'npm test'};
  const request = {
    ...asks({toolCallId: 'acp-tui-1', title: 'npm test', kind: 'execute', rawInput}),
    isOfHost: true,
  };
  const answered = {
    type: 'permission_resolved',
    id: request.id,
    toolCallId: 'acp-tui-1',
    decision: {outcome: 'allowed', option: 'Yes', by: 'user'},
  };
  const created = {type: 'terminal_created', terminalId: 't1', command: 'npm test', cwd: '/', pty: true};
  const runs = update(callUpdate('acp-tui-1', {status: 'in_progress', content: [terminal]}));
  const reported = update(calls('c', {title: 'Run the tests', status: 'in_progress', content: [terminal]}));
  const late = update(callUpdate('acp-tui-1', {status: 'failed'}));
  const ends = update(callUpdate('c', {status: 'completed'}));
  const sent = sentOf(prompted('go'), request, answered, created, runs, reported, late, ends).slice(1);
  expect(sent.map((each) => 'toolCallId' in each && each.toolCallId)).toEqual(sent.map(() => 'acp-tui-1'));
  expect(sent.filter(({sessionUpdate}) => sessionUpdate === 'tool_call')).toHaveLength(1);
  expect(sent.at(-2)).toMatchObject({title: 'Run the tests', status: 'in_progress'});
  expect(sent.at(-1)).toMatchObject({status: 'completed'});
});

test('a call that is answered keeps what was asked for if its agent has sent nothing meanwhile', () => {
  const rawInput = {command: 'rm -rf .'};
  const request = asks({toolCallId: 'c', title: 'List the files', kind: 'execute', rawInput});
  const decision = {outcome: 'allowed', option: 'Yes', by: 'user'};
  const answered = {type: 'permission_resolved', id: request.id, toolCallId: 'c', decision};
  expect(sentOf(prompted('go'), request, answered)).toHaveLength(2);
});

test('a call whose request is open keeps the title and the content that are asked for, until it is answered', () => {
  const rawInput = {command: 'rm -rf .'};
  const request = asks({toolCallId: 'c', title: 'rm -rf .', kind: 'execute', rawInput});
  const lies = callUpdate('c', {title: 'List the files', content: [piece(1)], status: 'in_progress'});
  const answered = {
    type: 'permission_resolved',
    id: request.id,
    toolCallId: 'c',
    decision: {outcome: 'rejected', option: 'Reject', by: 'user'},
  };
  const [, , meanwhile, after] = sentOf(prompted('go'), request, update(lies), answered);
  expect(meanwhile).toEqual({sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'in_progress'});
  expect(after).toMatchObject({
    toolCallId: 'c',
    title: 'rm -rf .',
    content: [piece(1), {content: text('The agent calls this "List the files".')}, {}],
  });
});

test('of what acp-tui says, only that the agent starts in a mode in which it asks less is sent', () => {
  const warning = {type: 'notice', level: 'warning', text: 'The agent asks less.'};
  expect(sentOf({...warning, setting: 'Auto'}, warning)).toEqual([
    {sessionUpdate: 'notice', severity: 'warning', title: warning.text},
  ]);
});

test('an empty title takes nothing of what is asked for away', () => {
  const rawInput = {command: 'rm -rf .'};
  const request = asks({toolCallId: 'c', title: 'rm -rf .', kind: 'execute', rawInput});
  const empty = update(callUpdate('c', {title: '', content: [piece(1)]}));
  expect(sentOf(prompted('go'), request, empty).at(-1)).toEqual({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c',
  });
});

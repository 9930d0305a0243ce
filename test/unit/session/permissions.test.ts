import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, it} from 'vitest';
import {pendingRequest, toolCall} from '../../../src/session/selectors.ts';
import {resultText} from '../../../src/session/labels/result-text.ts';
import {toolDetails} from '../../../src/session/labels/tool-labels.ts';
import type {Update} from '../../../src/session/events.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {withFileChange, type FileChange} from '../../../src/session/transcript/diffs.ts';
import {
  callUpdate,
  calls,
  reduceEvents,
  type UntimedEvent,
  only,
  opened,
  prompted,
  reduceUpdates,
  subagent,
  update,
} from '../../support/session/build.ts';

const options = [
  {optionId: 'b', name: 'Yes', kind: 'allow_once' as const},
  {optionId: 'a', name: 'Yes, always', kind: 'allow_once' as const},
];

function asks(id: string, toolCallId: string, title?: string): UntimedEvent {
  const toolCall = {toolCallId, ...(title === undefined ? {} : {title})};
  return {type: 'permission_requested', id, request: {sessionId: 's1', toolCall, options}};
}

const running = reduceEvents(opened, prompted('go'));

describe('a diff that was approved', () => {
  const diff = (oldText: string, newText: string) => ({type: 'diff' as const, path: '/a', oldText, newText});
  const words = {type: 'content' as const, content: {type: 'text' as const, text: 'Edit applied'}};
  const whole = diff('one\ntwo\n', 'one\n2\n');
  const decided = (id: string, outcome: 'allowed' | 'rejected'): UntimedEvent => ({
    type: 'permission_resolved',
    id,
    toolCallId: 't',
    decision: {outcome, option: 'x', by: 'user'},
  });
  const asked = (id: string, content: readonly acp.ToolCallContent[]): UntimedEvent => ({
    type: 'permission_requested',
    id,
    request: {sessionId: 's1', toolCall: {toolCallId: 't', content: [...content]}, options},
  });
  const approved = reduceEvents(running, asked('p1', [whole]), decided('p1', 'allowed'));
  const after = (...content: acp.ToolCallContent[]) =>
    toolCall(reduceUpdates(approved, callUpdate('t', {content, status: 'completed'})), 't')?.content;

  it('stays when an update replaces the content', () => {
    expect(after(words)).toEqual([whole, words]);
    expect(after()).toEqual([whole]);
  });

  it('is not duplicated when the agent sends it again, or a part of it', () => {
    expect(after(words, whole)).toEqual([words, whole]);
    expect(after(words, diff('two', '2'))).toEqual([whole, words]);
    const more = diff('zero\none\ntwo\n', 'zero\none\n2\n');
    expect(after(more)).toEqual([more]);
  });

  it('is kept beside another change of the same file', () => {
    expect(after(diff('x', 'y'))).toEqual([whole, diff('x', 'y')]);
  });

  it('is not part of the next request of the same call', () => {
    const again = reduceEvents(approved, asked('p2', [diff('x', 'y')]));
    expect(pendingRequest(again, 'p2')).toMatchObject({call: {content: [diff('x', 'y')]}});
  });

  it('is removed if it was rejected', () => {
    const rejected = reduceEvents(running, asked('p1', [whole]), decided('p1', 'rejected'));
    expect(toolCall(reduceUpdates(rejected, callUpdate('t', {content: [words]})), 't')?.content).toEqual([
      words,
    ]);
  });
});

describe('a change without lines that was approved', () => {
  const words = {type: 'content' as const, content: {type: 'text' as const, text: 'done'}};
  const change: FileChange = {does: 'delete', path: '/w/a'};
  const deletion = withFileChange(
    {type: 'content' as const, content: {type: 'text' as const, text: 'Deleted /w/a'}},
    change,
  );
  const allowed = (rawInput?: unknown) =>
    reduceEvents(
      running,
      {
        type: 'permission_requested',
        id: 'p',
        request: {sessionId: 's1', toolCall: {toolCallId: 't', rawInput, content: [deletion]}, options},
      },
      {
        type: 'permission_resolved',
        id: 'p',
        toolCallId: 't',
        decision: {outcome: 'allowed', option: 'x', by: 'user'},
      },
    );
  const contentAfter = (session: SessionState, ...updates: Update[]) =>
    only(reduceUpdates(session, ...updates), 'tool_call').content;
  const done = callUpdate('t', {status: 'completed'});

  it.each([
    ['when an update replaces the content', undefined, [callUpdate('t', {content: [words]}), done]],
    ['beside a command', {command: 'rm a'}, [callUpdate('t', {content: [words]}), done]],
    ['after the end', undefined, [done, callUpdate('t', {content: [words]})]],
  ])('stays %s', (_when, rawInput, updates) => {
    expect(contentAfter(allowed(rawInput))).toEqual([deletion]);
    expect(contentAfter(allowed(rawInput), ...updates)).toEqual([deletion, words]);
  });

  it('stays after the end if nobody was asked', () => {
    const session = reduceUpdates(running, calls('t', {content: [deletion], status: 'completed'}));
    expect(contentAfter(session, callUpdate('t', {content: [words]}))).toEqual([deletion, words]);
  });

  it('is not duplicated when the agent sends it again, and does not replace lines', () => {
    expect(contentAfter(allowed(), callUpdate('t', {content: [words, deletion]}))).toEqual([words, deletion]);
    const lines = withFileChange({type: 'diff' as const, path: '/w/a', oldText: 'a', newText: ''}, change);
    expect(contentAfter(allowed(), callUpdate('t', {content: [lines]}))).toEqual([lines]);
  });
});

describe('what a request says about a command', () => {
  const words = (text: string) => ({type: 'content' as const, content: {type: 'text' as const, text}});
  const run = {toolCallId: 't', kind: 'search' as const, rawInput: {command: ['ls', '-l']}};
  const asked = (content: acp.ToolCallContent[], call: acp.ToolCallUpdate = run) =>
    reduceEvents(running, {
      type: 'permission_requested',
      id: 'p',
      request: {sessionId: 's1', toolCall: {...call, content}, options},
    });
  const decided = (outcome: 'allowed' | 'rejected'): UntimedEvent => ({
    type: 'permission_resolved',
    id: 'p',
    toolCallId: 't',
    decision: {outcome, option: 'x', by: 'user'},
  });
  const done = callUpdate('t', {
    status: 'completed',
    rawOutput: {call_id: '1', formatted_output: 'notes.md\n'},
  });

  it('is no output once the command was allowed', () => {
    const session = reduceUpdates(reduceEvents(asked([words('May I?')]), decided('allowed')), done);
    expect(resultText(only(session, 'tool_call'))).toBe('notes.md');
    expect(only(session, 'tool_call').content).toEqual([]);
  });

  it('is not taken for what the agent sent since', () => {
    const before = reduceUpdates(asked([words('May I?')]), callUpdate('t', {content: [words('May I?')]}));
    expect(only(reduceEvents(before, decided('allowed')), 'tool_call').content).toEqual([words('May I?')]);
  });

  it('stays if the command was rejected, and beside a change or a plan', () => {
    const rejected = reduceEvents(asked([words('May I?')]), decided('rejected'));
    expect(only(rejected, 'tool_call').content).toEqual([words('May I?')]);
    const plan = reduceEvents(
      asked([words('1. Look')], {toolCallId: 't', kind: 'other'}),
      decided('allowed'),
    );
    expect(only(plan, 'tool_call').content).toEqual([words('1. Look')]);
  });
});

describe('a permission request', () => {
  it('shows a tool call that was unknown before', () => {
    const session = reduceEvents(running, asks('p1', 't', 'Write notes.md'));
    expect(only(session, 'tool_call')).toMatchObject({title: 'Write notes.md', status: 'pending', turn: 1});
  });

  it('adds its fields to a known tool call', () => {
    const session = reduceEvents(
      reduceUpdates(running, calls('t', {kind: 'edit'})),
      asks('p1', 't', 'Write notes.md'),
    );
    expect(only(session, 'tool_call')).toMatchObject({title: 'Write notes.md', kind: 'edit'});
  });

  it("is queued with its options in the agent's order", () => {
    const session = reduceEvents(running, asks('p1', 't1'), asks('p2', 't2'));
    expect(session.pending.map((request) => request.id)).toEqual(['p1', 'p2']);
    expect(pendingRequest(session, 'p2')).toMatchObject({toolCallId: 't2', options});
  });

  it('leaves the queue when it is answered, and its tool call says how', () => {
    const decision = {outcome: 'allowed' as const, option: 'Yes', by: 'user'};
    const session = reduceEvents(running, asks('p1', 't1'), asks('p2', 't2'), {
      type: 'permission_resolved',
      id: 'p1',
      toolCallId: 't1',
      decision,
    });
    expect(session.pending.map((request) => request.id)).toEqual(['p2']);
    expect(toolCall(session, 't1')?.permission).toEqual(decision);
    const later = reduceUpdates(session, callUpdate('t1', {status: 'completed'}));
    expect(toolCall(later, 't1')?.permission).toEqual(decision);
  });

  it('does not count as time of its tool call', () => {
    const begun = reduceEvents(running, {...update(calls('t', {status: 'in_progress'})), at: 1000});
    const decision = {outcome: 'allowed' as const, option: 'Yes', by: 'user'};
    const answered = reduceEvents(
      begun,
      {...asks('p1', 't'), at: 2000},
      {type: 'permission_resolved', id: 'p1', toolCallId: 't', decision, at: 62_000},
      {...update(callUpdate('t', {status: 'completed'})), at: 63_000},
    );
    const call = toolCall(answered, 't');
    expect(call?.waitedMs).toBe(60_000);
    expect(call && toolDetails(call, '', '/')).toEqual(['2.0 s']);
  });

  it('keeps the raw request if it had to be corrected', () => {
    const session = reduceEvents(running, {...asks('p1', 't1'), raw: '{"odd":true}'} as UntimedEvent);
    expect(pendingRequest(session, 'p1')).toMatchObject({raw: '{"odd":true}'});
  });

  it('that is answered twice changes nothing the second time', () => {
    const answer: UntimedEvent = {
      type: 'permission_resolved',
      id: 'unknown',
      toolCallId: 'unknown',
      decision: {outcome: 'withdrawn', option: undefined, by: 'agent'},
    };
    expect(reduceEvents(running, answer)).toBe(running);
  });

  it('shows what was known of its call when it arrived, and its own fields', () => {
    const session = reduceEvents(
      reduceUpdates(running, calls('t', {kind: 'edit'})),
      asks('p1', 't', 'Write notes.md'),
    );
    expect(pendingRequest(session, 'p1')).toMatchObject({
      call: {title: 'Write notes.md', kind: 'edit'},
      changes: 0,
    });
  });

  it('keeps its own text when another one has the same call', () => {
    const session = reduceEvents(running, asks('p1', 't', 'Read a'), asks('p2', 't', 'Write b'));
    expect(session.pending).toMatchObject([
      {call: {title: 'Read a'}},
      {call: {title: 'Write b'}, changes: 0},
    ]);
  });

  it('is changed by an update of its call, which is counted and withdraws its rule', () => {
    const offered = {...asks('p1', 't', 'Read a'), rule: 'read ./a'} as UntimedEvent;
    const session = reduceUpdates(reduceEvents(running, offered), callUpdate('t', {title: 'Write b'}));
    expect(pendingRequest(session, 'p1')).toMatchObject({call: {title: 'Write b'}, changes: 1});
    expect(pendingRequest(session, 'p1')).not.toHaveProperty('rule');
    const ruled = reduceEvents(session, {type: 'permission_rule_offered', id: 'p1', rule: 'edit ./b'});
    expect(pendingRequest(ruled, 'p1')).toMatchObject({rule: 'edit ./b', changes: 2});
    const covers = ['all edits'];
    const covering = reduceEvents(ruled, {
      type: 'permission_rule_offered',
      id: 'p1',
      rule: 'edit ./b',
      covers,
    });
    expect(pendingRequest(covering, 'p1')).toMatchObject({covers, changes: 3});
  });

  it('is not changed by what is offered if that is nothing', () => {
    const asked = reduceEvents(running, asks('p1', 't', 'Look'));
    const covers = ['', ''];
    const offered = reduceEvents(asked, {type: 'permission_rule_offered', id: 'p1', covers});
    expect(pendingRequest(offered, 'p1')).toMatchObject({covers, changes: 0});
  });

  it('is not changed by an update that says the same, or only changes the status', () => {
    const asked = reduceEvents(running, asks('p1', 't', 'Read a'));
    const later = reduceUpdates(
      asked,
      callUpdate('t', {title: 'Read a', status: 'in_progress', content: []}),
    );
    expect(later.pending).toBe(asked.pending);
  });
});

describe('a request with a diff', () => {
  const path = '/home/user/project/notes.md';
  const content = [{type: 'diff' as const, path, oldText: 'one\n', newText: '# Notes\n\none\n'}];
  const toolCall = {toolCallId: 't', title: path, kind: 'edit' as const, content, locations: [{path}]};
  const asked = reduceEvents(running, {
    type: 'permission_requested',
    id: 'p1',
    request: {sessionId: 's1', toolCall: {...toolCall, rawInput: {filepath: path}}, options},
    rule: 'edit ./notes.md',
  });

  it('stays as it was shown if an update says less, or the same in other words', () => {
    const later = reduceUpdates(
      asked,
      calls('t', {title: 'write', kind: 'edit', locations: [], rawInput: {}}),
      callUpdate('t', {
        title: 'write',
        locations: [{path: 'notes.md'}],
        rawInput: {filePath: 'notes.md', content: '# Notes\n\none\n', oldString: 'one', replaceAll: false},
      }),
    );
    expect(later.pending).toBe(asked.pending);
    expect(
      reduceEvents(asked, {type: 'permission_rule_offered', id: 'p1', rule: 'edit ./notes.md'}).pending,
    ).toEqual(asked.pending);
  });

  it.each<[string, Parameters<typeof callUpdate>[1]]>([
    ['another file', {locations: [{path: 'other.md'}]}],
    ['another file of that name', {locations: [{path: '../notes.md'}]}],
    ['another file in its input', {rawInput: {filePath: '/etc/notes.md'}}],
    ['a command', {rawInput: {command: 'one'}}],
    ['other text', {rawInput: {content: 'two'}}],
    ['a switch', {rawInput: {force: true}}],
    ['another kind', {kind: 'delete'}],
    ['another diff', {content: [{type: 'diff', path, oldText: 'one\n', newText: '# Notes\n\ntwo\n'}]}],
    ['no diff', {content: []}],
  ])('is changed by %s', (_, change) => {
    expect(reduceUpdates(asked, callUpdate('t', change)).pending).toMatchObject([{changes: 1}]);
  });
});

describe('a request with a command', () => {
  const ask = (rawInput: object): UntimedEvent => ({
    type: 'permission_requested',
    id: 'p1',
    request: {sessionId: 's1', toolCall: {toolCallId: 't', title: 'Test', rawInput}, options},
  });
  const asked = reduceEvents(running, ask({command: ['npm', 'test'], cwd: '/work'}));

  it('stays as it was shown if only its title or details change', () => {
    const rawInput = {command: ['npm', 'test'], cwd: '/work', call_id: 'c1'};
    expect(reduceUpdates(asked, callUpdate('t', {title: 'Run the tests', rawInput})).pending).toBe(
      asked.pending,
    );
  });

  it.each<[string, object]>([
    ['another command', {command: ['npm', 'run', 'test'], cwd: '/work'}],
    ['another folder', {command: ['npm', 'test'], cwd: '/'}],
    ['a variable', {command: ['npm', 'test'], cwd: '/work', env: {NODE_OPTIONS: '-r ./x'}}],
    ['a field beside it', {command: ['npm', 'test'], cwd: '/work', stdin: 'yes'}],
    ['nothing', {}],
  ])('is changed by %s', (_, rawInput) => {
    expect(reduceUpdates(asked, callUpdate('t', {rawInput})).pending).toMatchObject([{changes: 1}]);
  });
});

it('a call that was cancelled does not reopen while its turn is being cancelled', () => {
  const cancelling = reduceEvents(running, update(calls('t')), {type: 'cancel_requested'}, asks('p1', 't'));
  expect(toolCall(cancelling, 't')?.status).toBe('cancelled');
});

it("an update of a session's tool call leaves the request of a subagent with the same tool call ID as it is", () => {
  const asking = reduceEvents(running, update(subagent('child', {})), {
    type: 'permission_requested',
    id: 'p1',
    request: {sessionId: 'child', toolCall: {toolCallId: 't', title: 'Of the child'}, options},
  });
  expect(asking.pending).toMatchObject([{subagent: 'child'}]);
  const after = reduceUpdates(asking, calls('t', {title: 'Of the parent'}));
  expect(after.pending).toBe(asking.pending);
});

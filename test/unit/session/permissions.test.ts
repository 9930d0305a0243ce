import {describe, expect, it} from 'vitest';
import {pendingRequest, toolCall} from '../../../src/session/selectors.ts';
import {callUpdate, calls, fold, type Happening, only, opened, prompted, told} from './build.ts';

const options = [
  {optionId: 'b', name: 'Yes', kind: 'allow_once' as const},
  {optionId: 'a', name: 'Yes, always', kind: 'allow_once' as const},
];

function asks(id: string, toolCallId: string, title?: string): Happening {
  const toolCall = {toolCallId, ...(title === undefined ? {} : {title})};
  return {type: 'permission_requested', id, request: {sessionId: 's1', toolCall, options}};
}

const running = fold(opened, prompted('go'));

describe('a permission request', () => {
  it('shows a tool call that was never heard of before', () => {
    const session = fold(running, asks('p1', 't', 'Write notes.md'));
    expect(only(session, 'tool_call')).toMatchObject({title: 'Write notes.md', status: 'pending', turn: 1});
  });

  it('adds what it tells to a known tool call', () => {
    const session = fold(told(running, calls('t', {kind: 'edit'})), asks('p1', 't', 'Write notes.md'));
    expect(only(session, 'tool_call')).toMatchObject({title: 'Write notes.md', kind: 'edit'});
  });

  it('waits in line with its options in the order of the agent', () => {
    const session = fold(running, asks('p1', 't1'), asks('p2', 't2'));
    expect(session.pending.map((request) => request.id)).toEqual(['p1', 'p2']);
    expect(pendingRequest(session, 'p2')).toMatchObject({toolCallId: 't2', options});
  });

  it('leaves the line when it is answered, and its tool call says how', () => {
    const decision = {outcome: 'allowed' as const, option: 'Yes', by: 'user'};
    const session = fold(running, asks('p1', 't1'), asks('p2', 't2'), {
      type: 'permission_resolved',
      id: 'p1',
      toolCallId: 't1',
      decision,
    });
    expect(session.pending.map((request) => request.id)).toEqual(['p2']);
    expect(toolCall(session, 't1')?.permission).toEqual(decision);
    const later = told(session, callUpdate('t1', {status: 'completed'}));
    expect(toolCall(later, 't1')?.permission).toEqual(decision);
  });

  it('keeps the raw request where it had to be mended', () => {
    const session = fold(running, {...asks('p1', 't1'), raw: '{"odd":true}'} as Happening);
    expect(pendingRequest(session, 'p1')).toMatchObject({raw: '{"odd":true}'});
  });

  it('that is answered twice changes nothing the second time', () => {
    const answer: Happening = {
      type: 'permission_resolved',
      id: 'unknown',
      toolCallId: 'unknown',
      decision: {outcome: 'withdrawn', option: undefined, by: 'agent'},
    };
    expect(fold(running, answer)).toBe(running);
  });

  it('shows what was known of its call when it came, and what it says itself', () => {
    const session = fold(told(running, calls('t', {kind: 'edit'})), asks('p1', 't', 'Write notes.md'));
    expect(pendingRequest(session, 'p1')).toMatchObject({
      call: {title: 'Write notes.md', kind: 'edit'},
      changes: 0,
    });
  });

  it('keeps its own text when another asks for the same call', () => {
    const session = fold(running, asks('p1', 't', 'Read a'), asks('p2', 't', 'Write b'));
    expect(session.pending).toMatchObject([
      {call: {title: 'Read a'}},
      {call: {title: 'Write b'}, changes: 0},
    ]);
  });

  it('is changed by an update of its call, which is counted and ends the rule that it offered', () => {
    const offered = {...asks('p1', 't', 'Read a'), rule: 'read ./a'} as Happening;
    const session = told(fold(running, offered), callUpdate('t', {title: 'Write b'}));
    expect(pendingRequest(session, 'p1')).toMatchObject({call: {title: 'Write b'}, changes: 1});
    expect(pendingRequest(session, 'p1')).not.toHaveProperty('rule');
    const ruled = fold(session, {type: 'permission_rule_offered', id: 'p1', rule: 'edit ./b'});
    expect(pendingRequest(ruled, 'p1')).toMatchObject({rule: 'edit ./b', changes: 1});
  });

  it('is not changed by an update that says the same, or only how the call goes', () => {
    const asked = fold(running, asks('p1', 't', 'Read a'));
    const later = told(asked, callUpdate('t', {title: 'Read a', status: 'in_progress', content: []}));
    expect(later.pending).toBe(asked.pending);
  });
});

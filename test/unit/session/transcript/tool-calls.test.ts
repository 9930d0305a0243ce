import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, it} from 'vitest';
import {initialSession} from '../../../../src/session/initial.ts';
import {isLive, toolCall} from '../../../../src/session/selectors.ts';
import {
  callUpdate,
  calls,
  ended,
  reduceEvents,
  newSession,
  only,
  opened,
  prompted,
  reduceUpdates,
  update,
} from '../../../support/session/build.ts';

const output: acp.ToolCallContent = {type: 'content', content: {type: 'text', text: 'done'}};

describe('a tool call', () => {
  it('starts pending, of kind other, by default', () => {
    expect(only(reduceUpdates(opened, calls('t')), 'tool_call')).toMatchObject({
      title: 'Read a file',
      status: 'pending',
      kind: 'other',
      content: [],
      locations: [],
    });
  });

  it('keeps the start and the end of a long result once it has finished, and all of it before', () => {
    const long = `first ${'x'.repeat(3_000_000)} last`;
    const content: acp.ToolCallContent[] = [
      {type: 'content', content: {type: 'text', text: long}},
      {type: 'diff', path: '/project/a', oldText: null, newText: long},
    ];
    const result = {content, rawOutput: {lines: [long]}};
    const running = reduceUpdates(opened, calls('t', {status: 'in_progress', ...result}));
    expect(only(running, 'tool_call')).toMatchObject(result);
    const finished = reduceUpdates(running, callUpdate('t', {status: 'completed'}));
    const {content: kept, rawOutput} = only(finished, 'tool_call');
    const later = only(reduceUpdates(finished, callUpdate('t', {title: 'Later'})), 'tool_call');
    expect(later).toMatchObject({content: kept, rawOutput});
    const short = expect.stringMatching(/^first x{2,}\n… \d+ characters are not kept …\nx{2,} last$/);
    expect(kept).toEqual([{type: 'content', content: {type: 'text', text: short}}, content[1]]);
    expect(rawOutput).toEqual({lines: [short]});
    expect(JSON.stringify(rawOutput).length).toBeLessThan(1_100_000);
  });

  it('is shown when an update comes first, and is the same entry afterwards', () => {
    const early = reduceUpdates(opened, callUpdate('t', {status: 'completed', content: [output]}));
    expect(only(early, 'tool_call').title).not.toBe('');
    const late = reduceUpdates(early, calls('t', {name: 'read'}));
    expect(only(late, 'tool_call')).toMatchObject({
      title: 'Read a file',
      name: 'read',
      status: 'completed',
      content: [output],
    });
  });

  it('keeps what an update omits or sends as null', () => {
    const fields: Partial<acp.ToolCall> = {
      name: 'read',
      kind: 'read',
      content: [output],
      locations: [{path: '/a', line: null}],
      rawInput: {path: '/a'},
    };
    const nothing = {title: null, name: null, kind: null, status: null, content: null, locations: null};
    const before = reduceUpdates(opened, calls('t', fields));
    const after = reduceUpdates(before, callUpdate('t', {...nothing, rawInput: null}), callUpdate('t'));
    expect(after.entries).toEqual(before.entries);
  });

  it('shows when it ended, also if its agent reports it in progress afterwards', () => {
    const done = reduceEvents(opened, {...update(calls('t', {status: 'completed'})), at: 70});
    expect(only(done, 'tool_call').endedAt).toBe(70);
    const still = reduceEvents(done, {...update(callUpdate('t', {title: 'x'})), at: 80});
    expect(only(still, 'tool_call').endedAt).toBe(70);
    const again = reduceEvents(still, {...update(callUpdate('t', {status: 'in_progress'})), at: 90});
    expect(only(again, 'tool_call')).toMatchObject({status: 'completed', endedAt: 70});
  });
});

describe('a cancellation', () => {
  const running = reduceUpdates(
    reduceEvents(opened, prompted('go')),
    calls('pending'),
    calls('running', {status: 'in_progress'}),
    calls('done', {status: 'completed'}),
    calls('broken', {status: 'failed'}),
  );
  const cancelling = reduceEvents(running, {type: 'cancel_requested', at: 500});
  const statusOf = (session: typeof running, id: string) => toolCall(session, id)?.status;

  it.each(['completed', 'failed'] as const)('is overridden by a late %s', (status) => {
    expect(statusOf(reduceUpdates(cancelling, callUpdate('running', {status})), 'running')).toBe(status);
  });

  it.each(['pending', 'in_progress'] as const)('is not undone by a late %s', (status) => {
    expect(statusOf(reduceUpdates(cancelling, callUpdate('running', {status})), 'running')).toBe('cancelled');
    expect(statusOf(reduceUpdates(cancelling, calls('running', {status})), 'running')).toBe('cancelled');
  });

  it('marks later calls, once the turn has ended as cancelled', () => {
    const session = reduceEvents(reduceUpdates(cancelling, calls('late')), ended('cancelled'));
    expect(statusOf(session, 'late')).toBe('cancelled');
  });
});

describe('a tool call that its agent never ends', () => {
  const running = reduceUpdates(reduceEvents(opened, prompted('go')), calls('t', {status: 'in_progress'}));
  const over = reduceEvents(running, ended('end_turn'));

  it('is live during its turn, and not after', () => {
    expect(isLive(running, only(running, 'tool_call'))).toBe(true);
    expect(only(over, 'tool_call').status).toBe('in_progress');
    expect(isLive(over, only(over, 'tool_call'))).toBe(false);
  });

  it('is not live in the next turn either', () => {
    const next = reduceEvents(over, prompted('and now', 2));
    expect(isLive(next, only(next, 'tool_call'))).toBe(false);
  });

  it('is live while a request shows it, also before a session is open', () => {
    const request = {sessionId: '', toolCall: {toolCallId: 't', title: 'Run this?'}, options: []};
    const start = initialSession({cwd: '/work', additionalDirectories: [], at: 0});
    const asked = reduceEvents(start, {type: 'permission_requested', id: 'p', request});
    expect(isLive(asked, only(asked, 'tool_call'))).toBe(true);
    const decision = {outcome: 'rejected', option: 'No', by: 'user'} as const;
    const answered = reduceEvents(asked, {type: 'permission_resolved', id: 'p', toolCallId: 't', decision});
    expect(isLive(answered, only(answered, 'tool_call'))).toBe(false);
  });

  it('that came outside a turn is live until one starts or the session ends', () => {
    const idle = reduceUpdates(opened, calls('t', {status: 'in_progress'}));
    expect(isLive(idle, only(idle, 'tool_call'))).toBe(true);
    const next = reduceEvents(idle, prompted('hi'));
    expect(isLive(next, only(next, 'tool_call'))).toBe(false);
    const other = reduceEvents(idle, newSession('s2'));
    expect(isLive(other, only(other, 'tool_call'))).toBe(false);
  });
});

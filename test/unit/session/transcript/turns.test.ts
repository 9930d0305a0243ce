import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describe, expect, it} from 'vitest';
import {isIdle} from '../../../../src/session/selectors.ts';
import {stopReasonLabel, turnFacts} from '../../../../src/session/labels/labels.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {
  calls,
  ended,
  reduceEvents,
  newSession,
  only,
  opened,
  prompted,
  says,
  text,
  reduceUpdates,
  types,
  update,
} from '../../../support/session/build.ts';

const running = reduceEvents(opened, prompted('fix the bug'));

function costs(amount: number, currency = 'USD') {
  return update({sessionUpdate: 'usage_update', used: 10, size: 100, cost: {amount, currency}});
}

describe('a prompt', () => {
  it('is an entry and starts the turn', () => {
    expect(only(running, 'user_message')).toMatchObject({content: [text('fix the bug')], turn: 1});
    expect(isIdle(running)).toBe(false);
  });

  it('that is sent again after a sign-in is shown once, even if the agent echoes it', () => {
    const failure = {kind: 'authentication_required' as const, methods: []};
    const refused = reduceEvents(running, {
      type: 'prompt_ended',
      turn: 1,
      outcome: {kind: 'failed', failure},
    });
    const again = reduceEvents(refused, {
      type: 'prompt_started',
      turn: 2,
      content: [text('fix the bug')],
      repeats: true,
    });
    const echoed = reduceUpdates(again, {sessionUpdate: 'user_message_chunk', content: text('fix the bug')});
    expect(types(echoed)).toEqual(['user_message', 'turn_end', 'notice']);
    expect(isIdle(echoed)).toBe(false);
  });

  it('that is sent again is shown once, even if the agent echoes it in parts with another id', () => {
    const echo = (messageId: string) =>
      ['fix ', 'the ', 'bug'].map(
        (part) => ({sessionUpdate: 'user_message_chunk', messageId, content: text(part)}) as const,
      );
    const failed = reduceEvents(reduceUpdates(running, ...echo('u1')), ended('end_turn'));
    const again = reduceEvents(failed, {
      type: 'prompt_started',
      turn: 2,
      content: [text('fix the bug')],
      repeats: true,
    });
    const echoed = reduceUpdates(again, ...echo('u2'));
    expect(types(echoed)).toEqual(['user_message', 'turn_end', 'notice']);
    expect(only(echoed, 'user_message')).toMatchObject({content: [text('fix the bug')], messageId: 'u2'});
  });

  it('that was sent into the turn is shown once, whether the agent echoes it before or after its response', () => {
    const echo = (words: string) =>
      ({sessionUpdate: 'user_message_chunk', messageId: 'u', content: text(words)}) as const;
    const steered = {type: 'prompt_steered', content: [text('to b')]} as const;
    const before = reduceEvents(reduceUpdates(running, says('a'), echo('to '), echo('b')), steered);
    const after = reduceUpdates(reduceEvents(reduceUpdates(running, says('a')), steered), echo('to b'));
    for (const session of [before, after]) {
      expect(types(session)).toEqual(['user_message', 'agent_message', 'user_message']);
      expect(session.entries.get(2)).toMatchObject({content: [text('to b')], turn: 1, complete: true});
    }
  });

  it('that the agent echoes in chunks, with other spacing, is shown once', () => {
    const prompt = reduceEvents(opened, {
      type: 'prompt_started',
      turn: 1,
      content: [text('fix'), {type: 'resource_link', name: 'a.ts', uri: 'file:///a.ts'}, text('now')],
    });
    const session = reduceUpdates(
      prompt,
      {sessionUpdate: 'user_message_chunk', messageId: 'u', content: text('fix ')},
      {
        sessionUpdate: 'user_message_chunk',
        messageId: 'u',
        content: {type: 'resource_link', name: 'a.ts', uri: 'file:///a.ts'},
      },
      {sessionUpdate: 'user_message_chunk', messageId: 'u', content: text('now\n')},
    );
    expect(types(session)).toEqual(['user_message']);
    expect(only(session, 'user_message').content).toHaveLength(3);
  });

  it('is not confused with another user message', () => {
    const other = reduceUpdates(running, {
      sessionUpdate: 'user_message_chunk',
      content: text('something else'),
    });
    expect(types(other)).toEqual(['user_message', 'user_message']);
    const later = reduceUpdates(running, says('ok'), {
      sessionUpdate: 'user_message_chunk',
      content: text('fix the bug'),
    });
    expect(types(later)).toEqual(['user_message', 'agent_message', 'user_message']);
    const steered = (words: string) =>
      ({sessionUpdate: 'user_message_chunk', messageId: 'u', content: text(words)}) as const;
    const split = reduceUpdates(running, steered('the'), steered(' build'), steered(' failed'));
    expect(split.entries.slice(0).map((entry) => 'content' in entry && entry.content)).toEqual([
      [text('fix the bug')],
      [text('the build failed')],
    ]);
  });
});

describe('the end of a turn', () => {
  it('is an entry with its time and tokens', () => {
    const usage = {totalTokens: 3, inputTokens: 2, outputTokens: 1};
    const outcome = {kind: 'stopped', stopReason: 'max_tokens'} as const;
    const session = reduceEvents(
      opened,
      {...prompted('go'), at: 1000},
      {type: 'prompt_ended', turn: 1, outcome, usage, at: 4500},
    );
    expect(only(session, 'turn_end').summary).toEqual({
      turn: 1,
      outcome,
      durationMs: 3500,
      usage,
    });
    expect(session.lastTurn).toBe(only(session, 'turn_end').summary);
    expect(isIdle(session)).toBe(true);
  });

  it('that is reported twice, or for another turn, changes nothing', () => {
    const over = reduceEvents(running, ended('end_turn'));
    expect(reduceEvents(over, ended('end_turn'))).toBe(over);
    expect(reduceEvents(running, ended('end_turn', 7))).toBe(running);
  });

  it('without an answer says so, even if the agent only thought', () => {
    const silent = reduceEvents(running, ended('end_turn'));
    const thought = reduceEvents(
      reduceUpdates(running, {sessionUpdate: 'agent_thought_chunk', content: text('hm')}),
      ended('end_turn'),
    );
    for (const session of [silent, thought]) {
      expect(session.lastTurn?.isEmpty).toBe(true);
      expect(stopReasonLabel(session.lastTurn!)).toBe(
        'The agent ended the turn without an answer. See /status log.',
      );
    }
  });

  it('with an answer, a tool call or a warning of the agent says nothing', () => {
    const warning = {sessionUpdate: 'notice', noticeId: 'n', severity: 'error', title: 'no'} as const;
    for (const something of [says('hi'), calls('t'), warning]) {
      const session = reduceEvents(reduceUpdates(running, something), ended('end_turn'));
      expect(session.lastTurn?.isEmpty).toBeUndefined();
      expect(stopReasonLabel(session.lastTurn!)).toBeUndefined();
    }
  });

  it('says how many files were changed, each once, without failed calls', () => {
    const change = (id: string, path: string, status: 'completed' | 'failed' = 'completed') =>
      update({
        sessionUpdate: 'tool_call',
        toolCallId: id,
        title: 'Edit',
        kind: 'edit',
        status,
        content: [{type: 'diff', path, oldText: 'a', newText: 'b'}],
      });
    const gone = update({
      sessionUpdate: 'tool_call',
      toolCallId: 'd',
      title: 'Delete',
      kind: 'delete',
      status: 'completed',
      locations: [{path: '/work/gone.ts'}],
    });
    const one = reduceEvents(running, change('a', '/work/a.ts'), ended('end_turn'));
    expect(turnFacts(one.lastTurn!).at(-1)).toBe('1 file changed');
    const changes = [
      change('a', '/work/a.ts'),
      change('b', '/work/a.ts'),
      change('c', '/work/c.ts', 'failed'),
      gone,
    ];
    const two = reduceEvents(running, ...changes, ended('end_turn'));
    expect(turnFacts(two.lastTurn!).at(-1)).toBe('2 files changed');
    expect(turnFacts(reduceEvents(running, ended('end_turn')).lastTurn!).join()).not.toContain('changed');
  });

  it('omits tokens that are all zero', () => {
    const usage = {totalTokens: 0, inputTokens: 0, outputTokens: 0};
    const outcome = {kind: 'stopped', stopReason: 'end_turn'} as const;
    const session = reduceEvents(running, {type: 'prompt_ended', turn: 1, outcome, usage});
    expect(turnFacts(session.lastTurn!).join()).not.toContain('tokens');
  });

  it('after a cancellation counts as cancelled, even if the agent answers with an error', () => {
    const failure = {
      kind: 'agent_error',
      method: 'session/prompt',
      code: -32603,
      message: 'aborted',
    } as const;
    const session = reduceEvents(
      running,
      {type: 'cancel_requested'},
      {
        type: 'prompt_ended',
        turn: 1,
        outcome: {kind: 'failed', failure},
      },
    );
    expect(session.lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'cancelled'});
  });

  it('by an error is that error if nobody cancelled', () => {
    const failure = {
      kind: 'agent_error',
      method: 'session/prompt',
      code: -32603,
      message: 'no quota',
    } as const;
    const session = reduceEvents(reduceUpdates(running, calls('t')), {
      type: 'prompt_ended',
      turn: 1,
      outcome: {kind: 'failed', failure},
    });
    expect(session.lastTurn?.outcome).toEqual({kind: 'failed', failure});
    expect(only(session, 'tool_call').status).toBe('cancelled');
  });

  it('by a refusal removes the prompt and everything after it from the conversation, and nothing before', () => {
    const before = reduceEvents(reduceUpdates(running, says('sure')), ended('end_turn'));
    const session = reduceEvents(
      reduceUpdates(reduceEvents(before, prompted('do evil', 2)), says('no')),
      ended('refusal', 2),
    );
    const excluded = session.entries.map((entry) => entry.excluded === true);
    expect(types(session)).toEqual([
      'user_message',
      'agent_message',
      'turn_end',
      'user_message',
      'agent_message',
      'turn_end',
    ]);
    expect(excluded).toEqual([false, false, false, true, true, false]);
  });
});

describe('the cost of a turn', () => {
  const costOf = (session: SessionState): acp.Cost | undefined => session.lastTurn?.cost;

  it("is the session's cost so far, for the first", () => {
    expect(costOf(reduceEvents(running, costs(0.25), ended('end_turn')))).toEqual({
      amount: 0.25,
      currency: 'USD',
    });
  });

  it('is the difference, for a later one', () => {
    const session = reduceEvents(
      running,
      costs(0.25),
      ended('end_turn'),
      prompted('x', 2),
      costs(1),
      ended('end_turn', 2),
    );
    expect(costOf(session)).toEqual({amount: 0.75, currency: 'USD'});
  });

  it('is unknown if the cost before it is', () => {
    const loaded = reduceEvents(
      opened,
      {...newSession('s2'), how: 'load'} as ReturnType<typeof newSession>,
      prompted('x'),
      costs(9),
      ended('end_turn'),
    );
    expect(costOf(loaded)).toBeUndefined();
    const silent = reduceEvents(running, ended('end_turn'), prompted('x', 2), costs(9), ended('end_turn', 2));
    expect(costOf(silent)).toBeUndefined();
  });

  it('is unknown if the currency changes', () => {
    const session = reduceEvents(
      running,
      costs(1),
      ended('end_turn'),
      prompted('x', 2),
      costs(9, 'EUR'),
      ended('end_turn', 2),
    );
    expect(costOf(session)).toBeUndefined();
  });
});

describe('signs of life', () => {
  it("are updates, but not acp-tui's own actions", () => {
    const started = reduceEvents(opened, {...prompted('go'), at: 100});
    const received = reduceEvents(started, {...update(says('hi')), at: 200});
    const cancelled = reduceEvents(received, {type: 'cancel_requested', at: 300});
    expect(started.turn).toMatchObject({lastActivityAt: 100});
    expect(cancelled.turn).toMatchObject({lastActivityAt: 200});
  });
});

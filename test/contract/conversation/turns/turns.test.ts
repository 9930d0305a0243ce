import {describe, expect, test} from 'vitest';
import {idle, openConversation} from '../open-conversation.ts';

describe('a turn', () => {
  test('streams the answer and ends with its stop reason', async () => {
    const {prompt, until, said} = await openConversation(['echo']);
    prompt('hello there');
    const {lastTurn} = await until(idle, 'the end');
    expect(said()).toContain('hello there');
    expect(lastTurn).toMatchObject({turn: 1, outcome: {kind: 'stopped', stopReason: 'end_turn'}});
  });

  test('is cancelled: unfinished tool calls are marked at once, and the agent answers', async () => {
    const {conversation, prompt, until} = await openConversation(['waits']);
    prompt('go');
    await until(({entries}) => entries.some((entry) => entry.type === 'tool_call'), 'the tool call');
    conversation.cancel();
    const cancelling = await until(({turn}) => turn.kind !== 'running', 'the cancel to show');
    expect(cancelling.entries.find((entry) => entry.type === 'tool_call')).toMatchObject({
      status: 'cancelled',
    });
    const {lastTurn} = await until(idle, 'the end');
    expect(lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'cancelled'});
  });

  test('with an open request is cancelled, and the request answered "cancelled"', async () => {
    const {conversation, prompt, until, said} = await openConversation(['permission']);
    prompt('go');
    await until(({pending}) => pending.length === 1, 'the question');
    conversation.cancel();
    const state = await until(idle, 'the end');
    expect(state.pending).toEqual([]);
    expect(said()).toContain('"outcome":"cancelled"');
    expect(state.lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'cancelled'});
  });

  test('continues with the option selected for its request', async () => {
    const {conversation, prompt, until, said} = await openConversation(['permission']);
    prompt('go');
    const {pending} = await until((state) => state.pending.length === 1, 'the question');
    void conversation.answer(pending[0]?.id ?? '', {kind: 'option', index: 0});
    await until(idle, 'the end');
    expect(said()).toContain('"optionId":"yes"');
  });

  test('fails when the agent crashes, with its last output and exit code', async () => {
    const {prompt, until} = await openConversation(['crash']);
    prompt('go');
    const {connection, lastTurn} = await until(
      (state) => state.connection.kind === 'lost' && idle(state),
      'the loss of the agent',
    );
    const lost = {
      kind: 'connection_lost',
      exit: {code: 7},
      stderrTail: expect.stringContaining('out of cheese'),
    };
    expect(connection).toMatchObject({kind: 'lost', failure: lost});
    expect(lastTurn?.outcome).toMatchObject({kind: 'failed', failure: lost});
  });

  test('works again after a crash and a restart, with the transcript kept', async () => {
    const {conversation, prompt, until, said, state} = await openConversation(['crash']);
    prompt('go');
    await until(({connection}) => connection.kind === 'lost', 'the loss of the agent');
    expect(await conversation.restart()).toEqual({ok: true, value: undefined});
    expect(state().connection.kind).toBe('ready');
    expect(said()).toContain('I am about to');
    prompt('again');
    await until((now) => now.connection.kind === 'lost', 'the second loss');
    expect(state().lastTurn?.turn).toBe(2);
  });

  test('of a hanging agent is cancelled by a restart', async () => {
    const {conversation, prompt, until, state} = await openConversation(['hangs']);
    prompt('go');
    await until(({entries}) => entries.some((entry) => entry.type === 'agent_message'), 'the first word');
    conversation.cancel();
    await conversation.restart();
    expect(state()).toMatchObject({turn: {kind: 'idle'}, connection: {kind: 'ready'}});
    expect(state().lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: 'cancelled'});
  });

  test('ends as interrupted when acp-tui stops the agent', async () => {
    const {conversation, prompt, until, state} = await openConversation(['hangs']);
    prompt('go');
    await until(({entries}) => entries.some((entry) => entry.type === 'agent_message'), 'the first word');
    await conversation.restart();
    expect(state().lastTurn?.outcome).toEqual({kind: 'failed', failure: {kind: 'interrupted'}});
  });

  test.each(['refusal', 'max-tokens', 'max-turn-requests'])(
    'that stops with %s says so',
    async (scenario) => {
      const {prompt, until} = await openConversation([scenario]);
      prompt('go');
      const {lastTurn} = await until(idle, 'the end');
      expect(lastTurn?.outcome).toEqual({kind: 'stopped', stopReason: scenario.replaceAll('-', '_')});
    },
  );

  test('with 100,000 updates loses none of them', async () => {
    const {prompt, until, state} = await openConversation(['flood']);
    prompt('go');
    await until(idle, 'the end of the flood');
    expect(state().lastTurn?.outcome).toMatchObject({kind: 'stopped'});
  });
});

describe('a second session', () => {
  test('starts empty and keeps the transcript of the first', async () => {
    const {conversation, prompt, until, state, said} = await openConversation(['echo']);
    prompt('first words');
    await until(idle, 'the end');
    const before = state().sessionId;
    expect(await conversation.openSession({kind: 'new'})).toEqual({ok: true, value: undefined});
    expect(state().connection.kind).toBe('ready');
    expect(state().sessionId).not.toBe(before);
    expect(said()).toContain('first words');
  });
});

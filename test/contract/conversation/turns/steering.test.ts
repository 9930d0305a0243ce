import {describe, expect, test} from 'vitest';
import {idle, openConversation} from '../open-conversation.ts';

const content = (text: string) => [{type: 'text' as const, text}];

describe('a prompt for the running turn', () => {
  test("is sent with the extension's method and shown in that turn", async () => {
    const {conversation, prompt, until, said, sent} = await openConversation(['steers']);
    prompt('go');
    await until(() => said().includes('began'), 'the turn');
    expect(await conversation.steer(content('end'))).toEqual({ok: true, value: 'taken'});
    const {entries, agent} = await until(idle, 'the end');
    expect(agent?.steers).toBe(true);
    expect(said()).toContain('steered by end');
    const prompts = entries.filter(({type}) => type === 'user_message');
    expect(prompts.map(({turn}) => turn)).toEqual([1, 1]);
    const request = sent().find(({method}) => method === '_session/steering');
    expect(request?.params).toEqual({
      sessionId: 'session-1',
      prompt: content('end'),
      _meta: {steering: {idleBehavior: 'promptRequired'}},
    });
    expect(sent().filter(({method}) => method === 'session/prompt')).toHaveLength(1);
  });

  test.each([
    ['promptRequired', 'refused'],
    ['failed', 'refused'],
    ['nothing', 'refused'],
    ['startedNewTurn', 'detached'],
  ])('an agent that answers "%s" has it: %s', async (outcome, expected) => {
    const {conversation, prompt, until, said, state} = await openConversation(['steers', outcome]);
    prompt('go');
    await until(() => said().includes('began'), 'the turn');
    expect(await conversation.steer(content('now'))).toEqual({ok: true, value: expected});
    const reported = state().entries.filter(({type}) => type === 'user_message');
    expect(reported).toHaveLength(expected === 'refused' ? 1 : 2);
  });

  test('fails when the agent lacks the method, and is rejected when no turn runs', async () => {
    const {conversation, prompt, until} = await openConversation(['waits']);
    expect(await conversation.steer(content('now'))).toEqual({ok: true, value: 'refused'});
    prompt('go');
    await until(({turn}) => turn.kind === 'running', 'the turn');
    expect(await conversation.steer(content('now'))).toMatchObject({
      ok: false,
      failure: {kind: 'agent_error', code: -32601},
    });
  });
});

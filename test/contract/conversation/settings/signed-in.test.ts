import {describe, expect, test} from 'vitest';
import {authStatusLabel} from '../../../../src/shared/authentication.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {needsSignIn, openSignIn} from '../requests/open-sign-in.ts';
import {openConversation} from '../open-conversation.ts';

describe('the sign-in status', () => {
  const words = ({agent}: SessionState) => authStatusLabel(agent?.authStatus);

  test('is requested from agents that support it, at the start and after a sign-in, and updated', async () => {
    const {conversation, until, prompt, count} = await openSignIn();
    await until((state) => words(state) === 'not signed in', 'the first answer');
    await conversation.authenticate('browser');
    await until(
      (state) => words(state) === 'signed in: Fake plan (ann@example.com)',
      'the answer after the sign-in',
    );
    prompt('expire later');
    await until((state) => words(state) === 'not signed in', 'the news');
    expect(count('auth/status')).toBe(2);
  });

  test('is not requested from others', async () => {
    const {sent} = await openConversation(['echo']);
    expect(sent().map(({method}) => method)).not.toContain('auth/status');
  });
});

describe('signing out', () => {
  test('is reported with the known account, and the next prompt requires a sign-in', async () => {
    const {conversation, state, prompt, until} = await openSignIn();
    await conversation.authenticate('browser');
    expect(await conversation.logOut()).toEqual({ok: true, value: undefined});
    expect(state().connection.kind).toBe('ready');
    expect([...state().entries].at(-1)).toMatchObject({
      type: 'notice',
      text: expect.stringMatching(/^Signed out\. The agent says: not signed in\. .*may require a sign-in/),
    });
    prompt('hello');
    await until(needsSignIn, 'the question');
  });

  test('is not sent to an agent that does not support it', async () => {
    const {conversation, sent} = await openConversation(['echo']);
    expect(await conversation.logOut()).toMatchObject({ok: false, failure: {kind: 'not_offered'}});
    expect(sent().map(({method}) => method)).not.toContain('logout');
  });
});

import {describe, expect, test} from 'vitest';
import {elicit, FORM, SCHEMA, URL_MODE} from './elicitations.ts';
import {idle, openScripted} from '../open-conversation.ts';

describe('rejected with -32602 is', () => {
  const refused = async (params: Record<string, unknown>, hasUser = true) => {
    const opened = await openScripted({turns: [[elicit(params), {answered: 'it'}]]}, {hasUser});
    opened.prompt('go');
    return {answer: await opened.answerTo('it'), state: await opened.until(idle, 'the end')};
  };

  test.each([
    ['an unknown mode', {mode: '_quiz', message: 'Hm?'}],
    ['a form without a schema', {mode: 'form', message: 'Hm?'}],
    ['a form without a message', {mode: 'form', requestedSchema: SCHEMA}],
    ['an invalid URL', {...URL_MODE, url: 'example.com'}],
    ['a URL that starts a program', {...URL_MODE, url: 'vscode://open?file=/etc/passwd'}],
    ['a file', {...URL_MODE, url: 'file:///etc/passwd'}],
    ['a form without a session or a request', {...FORM, sessionId: undefined}],
  ])('%s', async (_what, params) => {
    const {answer, state} = await refused(params);
    expect(answer).toMatchObject({error: {code: -32_602}});
    expect(state.pending).toEqual([]);
  });

  test('every form without a user, with the reason', async () => {
    for (const params of [FORM, URL_MODE]) {
      const {answer, state} = await refused(params, false);
      expect(answer).toMatchObject({error: {code: -32_602}});
      expect([...state.entries].find(({type}) => type === 'notice')).toMatchObject({
        level: 'warning',
        text: expect.stringContaining('there is no user to ask') as string,
      });
    }
  });

  test('answers a question of an unknown session with an error', async () => {
    const {answer} = await refused({...FORM, sessionId: 'another'});
    expect(answer.error?.code).toBeLessThan(0);
  });
});

test('offers no forms without a user', async () => {
  const {sent} = await openScripted({}, {hasUser: false});
  expect(sent()[0]?.params?.['clientCapabilities']).not.toHaveProperty('elicitation');
});

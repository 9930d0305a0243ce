import {expect, test} from 'vitest';
import {ruleOf} from '../../../../src/session/requests/permission-rules.ts';
import {noPermissions} from '../conversation-defaults.ts';
import {openScripted} from '../open-conversation.ts';

/** The response to an agent of this name when the title of a request is `ls && pwd`, and both may run. */
async function askedByTitle(name: string) {
  const request = {
    sessionId: '$session',
    toolCall: {toolCallId: 't', title: 'ls && pwd', kind: 'execute', status: 'pending'},
    options: [{optionId: 'once', name: 'Once', kind: 'allow_once'}],
  };
  const rules = ['execute ls', 'execute pwd'].map((text) => ruleOf('allow', text, 'user')!);
  const conversation = await openScripted(
    {
      initialize: {agentInfo: {name, version: '1'}},
      turns: [[{ask: 'p', method: 'session/request_permission', params: request}, {answered: 'p'}]],
    },
    {
      hasUser: false,
      permissions: {...noPermissions, rules: () => rules},
    },
  );
  conversation.prompt('go');
  return (await conversation.answerTo('p')).result;
}

test('rules use the title as the command only for the agent that sends it nowhere else', async () => {
  expect(await askedByTitle('gemini-cli')).toEqual({outcome: {outcome: 'selected', optionId: 'once'}});
  expect(await askedByTitle('any-agent')).toEqual({outcome: {outcome: 'cancelled'}});
});

import {expect, test} from 'vitest';
import {choose} from '../../../support/program/editor-client.ts';
import {asks, says} from '../../service/open-service.ts';
import {openHome, scripted} from './open-editor.ts';

const message = (messageId: string, text: string) => ({
  update: {sessionUpdate: 'agent_message_chunk', messageId, content: {type: 'text', text}},
});
const AGENT = scripted({
  turns: [
    [message('m1', 'first'), message('m2', 'second')],
    [says('asking '), ...asks('one'), says('done')],
  ],
});

interface Attached {
  readonly sessionId: string;
  readonly clientId: string;
  readonly connectedClients: readonly {readonly name: string}[];
  readonly historyPolicy: string;
  readonly replayed: number;
}

test('several editors attach to a session, each with the history it wants, and learn who answered', async () => {
  const {editor, sessions} = await openHome();
  const driver = await editor({args: ['--agent', AGENT]});
  expect(driver.initialized.agentCapabilities?.sessionCapabilities).toMatchObject({attach: {}});
  const {sessionId} = await driver.open();
  await driver.prompt(sessionId, 'the prompt');
  async function attach(more: object) {
    const other = await editor();
    const response = await other.agent.request<Attached>('session/attach', {sessionId, ...more});
    return {...other, response};
  }
  const full = await attach({clientId: 'mine', clientInfo: {name: 'test'}});
  expect(full.response).toMatchObject({sessionId, clientId: 'mine', historyPolicy: 'full', replayed: 3});
  expect(full.response.connectedClients).toHaveLength(1);
  expect(full.text('agent_message_chunk')).toBe('firstsecond');
  const after = await attach({historyPolicy: 'after_message', afterMessageId: 'm1'});
  expect(after.response).toMatchObject({historyPolicy: 'after_message', replayed: 1});
  expect(after.text('agent_message_chunk')).toBe('second');
  const unknown = await attach({historyPolicy: 'after_message', afterMessageId: 'm9'});
  expect(unknown.response).toMatchObject({historyPolicy: 'full', replayed: 3});
  const response = driver.prompt(sessionId, 'more');
  await expect.poll(() => after.asked.length).toBe(1);
  const late = await attach({historyPolicy: 'pending_only'});
  expect(late.text('user_message_chunk')).toBe('more');
  expect(late.text('agent_message_chunk')).toBe('asking ');
  const none = await attach({historyPolicy: 'none'});
  expect(none.response).toMatchObject({historyPolicy: 'none', replayed: 0});
  await expect.poll(() => none.asked.length).toBe(1);

  const answering = await editor({permit: choose('Allow')});
  await answering.agent.request('session/attach', {sessionId, historyPolicy: 'none'});
  expect(await response).toMatchObject({stopReason: 'end_turn'});
  await expect.poll(() => none.text('agent_message_chunk')).toBe('done');
  const resolved = {
    sessionUpdate: 'permission_resolved',
    toolCallId: 'call-one',
    outcome: {kind: 'selected', optionId: '0'},
  };
  expect(none.sent('permission_resolved')).toMatchObject([resolved]);
  // The one that answered knows it, and one that has not asked to attach may not know the update.
  expect([answering, driver].map(({sent}) => sent('permission_resolved'))).toEqual([[], []]);

  await none.agent.request('session/detach', {sessionId});
  expect(await sessions()).toMatchObject([{id: sessionId, windows: 6}]);
  await expect(none.prompt(sessionId, 'x')).rejects.toMatchObject({code: -32002});
});

test('what is attached to has to be there', async () => {
  const {editor} = await openHome();
  const {agent} = await editor();
  const refused = (method: string, params: object, code: number) =>
    expect(agent.request(method, params)).rejects.toMatchObject({code});
  await refused('session/attach', {sessionId: 'none'}, -32002);
  await refused('session/attach', {sessionId: 'none', historyPolicy: 'some'}, -32602);
  await refused('session/attach', {}, -32602);
  await refused('session/detach', {sessionId: 'none'}, -32002);
});

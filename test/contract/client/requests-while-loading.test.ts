import {expect, test} from 'vitest';
import type {Script} from '../../../fixtures/fake-agent/scenarios/script.ts';
import {idle, makeClient, type OpenedClient} from './open-client.ts';
import {permission, run, terminal} from './steps.ts';

const initialize = {agentCapabilities: {loadSession: true}};
const pendingCall = {
  update: {
    sessionUpdate: 'tool_call',
    toolCallId: 'call-1',
    title: 'Delete it',
    kind: 'delete',
    status: 'pending',
  },
};

/** Opens a session of such an agent, and then loads it again. */
async function reload(script: Script, options: Parameters<typeof makeClient>[1] = {}): Promise<OpenedClient> {
  const opened = makeClient(['script', JSON.stringify({initialize, ...script})], options);
  await opened.client.open();
  const sessionId = opened.state().sessionId!;
  await opened.client.actions.openSession({kind: 'continue', sessionId});
  return opened;
}

test('a call whose request still waits when the load has ended is not cancelled', async () => {
  const opened = await reload({loading: [pendingCall, permission(1)]});
  const {pending, entries} = await opened.until(
    ({pending, connection}) => pending.length > 0 && connection.kind === 'ready',
    'the request',
  );
  expect(pending).toMatchObject([{toolCallId: 'call-1'}]);
  const calls = [...entries].filter(({type}) => type === 'tool_call');
  expect(calls).toMatchObject([{toolCallId: 'call-1', status: 'pending'}]);
});

test('a command that was asked for while the session was loaded goes on', async () => {
  const output = {ask: 'out', method: 'terminal/output', params: terminal};
  const opened = await reload({loading: run, turns: [[output, {answered: 'out'}]]}, {approval: 'all'});
  opened.prompt('go on');
  await opened.until(idle, 'the end');
  expect(opened.sent().find(({id}) => id === 'out')).not.toHaveProperty('error');
  expect(Object.values(opened.state().terminals)).toMatchObject([{exit: undefined}]);
});

test('a command that an agent asked for while the session was loaded runs when it is allowed later', async () => {
  const opened = await reload({loading: [run[0]!]});
  const {pending, entries} = await opened.until(({pending}) => pending.length > 0, 'the request');
  expect([...entries].filter(({type}) => type === 'tool_call')).toMatchObject([{status: 'pending'}]);
  opened.client.actions.answer(pending[0]!.id, {kind: 'option', index: 0});
  const {terminals} = await opened.until(({terminals}) => Object.keys(terminals).length > 0, 'the command');
  expect(Object.values(terminals)).toMatchObject([{exit: undefined}]);
});

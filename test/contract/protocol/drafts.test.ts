import {methods} from '@agentclientprotocol/sdk/unstable';
import type {SessionInfo} from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {agentWith, connectTo, noRoots, offer} from './connect-sdk-agent.ts';

const {session} = methods.agent;

test('session/status is open or saved; an unknown value counts as saved', async () => {
  const told = ['open', 'saved', '_frozen'];
  const app = agentWith({sessionCapabilities: {status: {}}}).onRequest(session.status, () => ({
    status: told.shift() ?? '',
  }));
  const {connection} = connectTo(app);
  await connection.initialize(offer);
  expect(await connection.sessionStatus('s')).toEqual({ok: true, value: 'open'});
  expect(await connection.sessionStatus('s')).toEqual({ok: true, value: 'saved'});
  expect(await connection.sessionStatus('s')).toEqual({ok: true, value: 'saved'});
});

test('session/list names what is archived', async () => {
  const sessions: SessionInfo[] = [{sessionId: 's', cwd: '/x', archived: true}];
  let asked: unknown;
  const app = agentWith({sessionCapabilities: {list: {}, archive: {}}}).onRequest(
    session.list,
    ({params}) => {
      asked = params;
      return {sessions};
    },
  );
  const {connection} = connectTo(app);
  await connection.initialize(offer);
  expect(await connection.listSessions({archived: 'only'})).toMatchObject({value: {sessions}});
  expect(asked).toEqual({archived: 'only'});
});

test('every request has the trace context in its _meta, next to what it says there itself', async () => {
  const heard: unknown[] = [];
  const app = agentWith().onRequest(session.new, ({params}) => {
    heard.push(params._meta);
    return {sessionId: 's'};
  });
  app.onRequest(
    '_session/steering',
    (params) => params as {_meta?: unknown},
    ({params}) => {
      heard.push(params._meta);
      return {outcome: 'injected'};
    },
  );
  const trace = {traceparent: '00-80e1afed08e019fc1110464cfa66635c-7a085853722dc6d2-01', baggage: 'a=b'};
  const {connection} = connectTo(app, {}, trace);
  await connection.initialize(offer);
  await connection.newSession(noRoots);
  await connection.steer('s', []);
  expect(heard).toEqual([trace, {...trace, steering: {idleBehavior: 'promptRequired'}}]);
});

test('without a trace context, requests have no _meta of it', async () => {
  let asked: object = {};
  const app = agentWith().onRequest(session.new, ({params}) => {
    asked = params;
    return {sessionId: 's'};
  });
  const {connection} = connectTo(app);
  await connection.initialize(offer);
  await connection.newSession(noRoots);
  expect(asked).not.toHaveProperty('_meta');
});

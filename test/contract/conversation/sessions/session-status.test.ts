import {expect, test} from 'vitest';
import type {Script} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {makeConversation, notices, type OpenedConversation} from '../open-conversation.ts';

const STATUS = {agentCapabilities: {loadSession: true, sessionCapabilities: {status: {}, resume: {}}}};
const methods = ({sent}: OpenedConversation) => sent().flatMap(({method}) => method ?? []);

function resuming(script: Script): OpenedConversation {
  return makeConversation(['script', JSON.stringify(script)], {
    opening: {kind: 'continue', sessionId: 'old'},
  });
}

test('a session unknown to the agent is not loaded', async () => {
  const error = {code: -32_002, message: 'Resource not found', data: {sessionId: 'old'}};
  const opened = resuming({initialize: STATUS, errors: {'session/status': error}});
  expect(await opened.conversation.open()).toMatchObject({failure: {kind: 'no_such_session', wanted: 'old'}});
  expect(methods(opened)).toEqual(['initialize', 'session/status']);
});

test('a session the agent already has open is loaded with a warning', async () => {
  const opened = resuming({initialize: STATUS, results: {'session/status': {status: 'open'}}});
  expect((await opened.conversation.open()).ok).toBe(true);
  expect(opened.sent()[1]).toMatchObject({method: 'session/status', params: {sessionId: 'old'}});
  expect(methods(opened)).toEqual(['initialize', 'session/status', 'session/load']);
  expect(notices(opened.state())).toEqual([expect.stringContaining('already had this session open')]);
});

test.each([{status: 'saved'}, {status: '_somewhere'}, {status: 7}])(
  'the status %j does not prevent loading',
  async (status) => {
    const opened = resuming({initialize: STATUS, results: {'session/status': status}});
    expect((await opened.conversation.open()).ok).toBe(true);
    expect(methods(opened)).toEqual(['initialize', 'session/status', 'session/load']);
    expect(notices(opened.state())).toEqual([]);
  },
);

test('an agent that does not advertise it is not asked', async () => {
  const opened = resuming({initialize: {agentCapabilities: {loadSession: true}}});
  await opened.conversation.open();
  expect(methods(opened)).toEqual(['initialize', 'session/load']);
});

test('a session opened by this process is not asked about', async () => {
  const opened = makeConversation(['script', JSON.stringify({initialize: STATUS})]);
  await opened.conversation.open();
  await opened.conversation.openSession({kind: 'continue', sessionId: 'session-1', isHere: true});
  expect(methods(opened)).toEqual(['initialize', 'session/new', 'session/resume']);
});

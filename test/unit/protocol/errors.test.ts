import {MessageTooLargeError, RequestError} from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {closeFailure, requestFailure, TransportError} from '../../../src/protocol/errors.ts';

const authMethods = [{id: 'token', name: 'Token'}];
const failure = (error: unknown) => requestFailure(error, {method: 'session/prompt', authMethods});

test.each([
  [
    'details',
    new RequestError(-32603, 'Internal error', {details: 'quota'}),
    {message: 'Internal error', detail: 'quota'},
  ],
  [
    'a string',
    new RequestError(-32603, 'Internal error', 'busy'),
    {message: 'Internal error', detail: 'busy'},
  ],
  [
    'other fields, if it has nothing else,',
    new RequestError(-32603, 'Internal error', {service: 's'}),
    {message: 'Internal error', detail: '{"service":"s"}'},
  ],
  ['nothing', new RequestError(-32603, 'm', {}), {message: 'm'}],
])('an error with %s as data reports it as the detail', (_, error, worded) => {
  expect(failure(error)).toEqual({kind: 'agent_error', method: 'session/prompt', code: -32603, ...worded});
});

test('data fields are not reported if the message already names the cause', () => {
  const data = {service: 'session', errorName: 'APIError'};
  expect(failure(new RequestError(-32603, 'Internal error: rate limited', data))).toEqual({
    kind: 'agent_error',
    method: 'session/prompt',
    code: -32603,
    message: 'Internal error: rate limited',
  });
});

test('the JSON response of a service as the message is reported with its text', () => {
  const message = '{"error":{"code":400,"message":"API key not valid"}}';
  expect(failure(new RequestError(400, message))).toMatchObject({
    code: 400,
    message: 'API key not valid',
    detail: message,
  });
  expect(failure(new RequestError(400, '{not json'))).toMatchObject({message: '{not json'});
});

test.each([
  ['a header', {status: 429, headers: {'Retry-After': '30'}}, 30],
  ['a number', {response: {retry_after: 1.5}}, 1.5],
  ['details of Google', {error: {code: 429, details: [{}, {retryDelay: '34.07s'}]}}, 34.07],
])('the time after which a service wants to be asked again is read from %s', (_, data, retrySeconds) => {
  expect(failure(new RequestError(-32603, 'Rate limited', data))).toMatchObject({retrySeconds});
  expect(failure(new RequestError(429, JSON.stringify(data)))).toMatchObject({retrySeconds});
});

test.each([[{retryAfter: 'soon'}], [{retryDelay: -1}], [{a: {b: {c: {d: {e: {f: {g: {retryAfter: 1}}}}}}}}]])(
  'no such time is in %j',
  (data) => {
    expect(failure(new RequestError(-32603, 'Rate limited', data))).not.toHaveProperty('retrySeconds');
  },
);

test("authentication required reports the agent's methods", () => {
  expect(failure(new RequestError(-32000, 'Authentication required'))).toEqual({
    kind: 'authentication_required',
    methods: authMethods,
  });
  expect(failure(new RequestError(-32000, 'Authentication required', {authMethods}))).not.toHaveProperty(
    'problem',
  );
  expect(failure(new RequestError(-32000, 'Token expired'))).toMatchObject({problem: 'Token expired'});
  expect(failure(new RequestError(-32000, 'Authentication required', {details: 'no key'}))).toMatchObject({
    problem: 'no key',
  });
});

test('an unsupported version reports both versions', () => {
  expect(failure(RequestError.unsupportedProtocolVersion(1, [2]))).toEqual({
    kind: 'protocol_version',
    ours: 1,
    theirs: 2,
  });
});

test('the end of the connection is reported as such', () => {
  const lost = {kind: 'connection_lost', exit: undefined, stderrTail: ''};
  expect(closeFailure(new Error('ACP connection closed'))).toEqual(lost);
  expect(closeFailure(new TransportError('broken'))).toEqual({...lost, problem: 'broken'});
  expect(failure(new MessageTooLargeError(5))).toEqual({kind: 'message_too_large', limitBytes: 5});
});

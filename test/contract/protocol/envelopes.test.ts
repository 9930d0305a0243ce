import {expect, onTestFinished, test, vi} from 'vitest';
import {connect} from '../../../src/protocol/connect.ts';
import type {Update} from '../../../src/session/events.ts';
import {clientInfo, recordingHandlers, textOf} from './connect-fake.ts';
import {lineTransport} from '../../support/program/line-transport.ts';

const offer = {fs: true, terminal: true};
const chunk = (text: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    method: 'session/update',
    params: {sessionId: 's', update: {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}},
  });

function connectLines() {
  const transport = lineTransport();
  const updates: Update[] = [];
  const log: string[] = [];
  const handlers = recordingHandlers(updates, {readTextFile: () => Promise.resolve({content: 'text'})});
  const connection = connect(transport, handlers, {
    clientInfo,
    log: (level, text) => log.push(`${level}: ${text}`),
  });
  onTestFinished(() => connection.close());
  return {transport, connection, updates, log};
}

test.each([
  ['without a version', '{"id":0,"result":{"protocolVersion":1}}'],
  ['with an error that is null', '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1},"error":null}'],
  ['with spaces around it', '  {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}\t'],
])('a response %s is accepted', async (_, line) => {
  const {transport, connection} = connectLines();
  const answer = connection.initialize(offer);
  transport.receive(line);
  expect(await answer).toMatchObject({ok: true, value: {protocolVersion: 1}});
});

test('an error that is no object is reported with its text', async () => {
  const {transport, connection} = connectLines();
  const answer = connection.initialize(offer);
  transport.receive('{"jsonrpc":"2.0","id":0,"error":"out of tokens"}');
  expect(await answer).toMatchObject({
    failure: {kind: 'agent_error', code: -32603, message: 'out of tokens'},
  });
});

test.each([0, '', 'abc', -1, null])('a request with the ID %j is answered with that ID', async (id) => {
  const {transport} = connectLines();
  const answer = transport.nextSent();
  transport.receive(
    JSON.stringify({jsonrpc: '2.0', id, method: 'fs/read_text_file', params: {sessionId: 's', path: '/a'}}),
  );
  expect(JSON.parse(await answer)).toEqual({jsonrpc: '2.0', id, result: {content: 'text'}});
});

test('an update sent as a request is delivered and answered', async () => {
  const {transport, updates} = connectLines();
  const answer = transport.nextSent();
  transport.receive(JSON.stringify({...JSON.parse(chunk('hello')), id: 3}));
  expect(JSON.parse(await answer)).toEqual({jsonrpc: '2.0', id: 3, result: {}});
  expect(textOf(updates)).toBe('hello');
});

test('a batch is rejected, and later lines are processed', async () => {
  const {transport, updates, log} = connectLines();
  const answer = transport.nextSent();
  transport.receive(`[${chunk('in a batch')}]`, chunk('alone'));
  expect(JSON.parse(await answer)).toMatchObject({id: null, error: {code: -32600}});
  await transport.drained();
  expect(textOf(updates)).toBe('alone');
  expect(log.join('\n')).toContain('a batch of 1 messages');
});

test('log lines in JSON are no messages and get no response', async () => {
  const {transport, log} = connectLines();
  transport.receive('{"level":"info","msg":"starting"}', '[1, 2]', '"text"');
  await transport.drained();
  expect(log[0]).toContain('"starting"');
  expect(transport.sent.filter((line) => !line.includes('-32600'))).toEqual([]);
});

test('an agent that no longer reads is read to the end, and then lost', async () => {
  vi.useFakeTimers({toFake: ['setTimeout']});
  onTestFinished(() => void vi.useRealTimers());
  const {transport, connection, updates} = connectLines();
  transport.send = () => Promise.reject(new Error('EPIPE'));
  const answer = connection.initialize(offer);
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  transport.receive(chunk('last words'));
  await transport.drained();
  vi.advanceTimersByTime(1000);
  expect(await answer).toMatchObject({
    failure: {kind: 'connection_lost', problem: 'it no longer reads its input'},
  });
  expect(textOf(updates)).toBe('last words');
});

test('a handler that throws does not stop later updates', async () => {
  const transport = lineTransport();
  const seen: string[] = [];
  const log: string[] = [];
  const connection = connect(
    transport,
    recordingHandlers([], {
      sessionUpdate(_, update) {
        seen.push(textOf([update]));
        if (seen.length === 1) throw new Error('broken reducer');
      },
    }),
    {clientInfo, log: (level, text) => log.push(`${level}: ${text}`)},
  );
  transport.receive(chunk('one'), chunk('two'));
  await transport.drained();
  connection.close();
  expect(seen).toEqual(['one', 'two']);
  expect(log).toContainEqual(expect.stringMatching(/^error: .*broken reducer/));
});

test('keys are read between the updates of one read', async () => {
  const transport = lineTransport();
  let handled = 0;
  let handledAtKey: number | undefined;
  const handlers = recordingHandlers([], {
    sessionUpdate() {
      handled++;
      if (handled === 1) setImmediate(() => (handledAtKey = handled));
      for (const end = performance.now() + 1; performance.now() < end;);
    },
  });
  const connection = connect(transport, handlers, {clientInfo});
  onTestFinished(() => connection.close());
  transport.receive(...Array.from({length: 200}, (_, index) => chunk(String(index))));
  await transport.drained();
  expect(handled).toBe(200);
  expect(handledAtKey).toBeLessThan(100);
});

test('the end of the output ends the connection', async () => {
  const {transport, connection} = connectLines();
  transport.end();
  expect(await connection.closed).toEqual({kind: 'connection_lost', exit: undefined, stderrTail: ''});
});

test('every line is logged in both directions', async () => {
  const {transport, connection, log} = connectLines();
  const answer = connection.initialize(offer);
  const line = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}';
  transport.receive(line);
  await answer;
  expect(log).toEqual([expect.stringMatching(/^debug: > .*"method":"initialize"/), `debug: < ${line}`]);
});

import {setImmediate as macrotask} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {connect} from '../../../src/protocol/connect.ts';
import type {ClientHandlers} from '../../../src/protocol/handlers-interface.ts';
import {createRequestLimits} from '../../../src/protocol/handlers.ts';
import {LIMITS} from '../../../src/shared/limits.ts';
import {clientInfo, recordingHandlers} from './connect-fake.ts';
import {lineTransport} from '../../support/program/line-transport.ts';

const MIB = 1024 * 1024;

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: {readonly code: number; readonly message: string};
}

/** A connection to an agent that reads only when the test lets it. */
function connectTo(handlers: Partial<ClientHandlers>) {
  const transport = lineTransport();
  const {promise: reads, resolve: read} = Promise.withResolvers<void>();
  const send = async (line: string) => {
    await reads;
    await transport.send(line);
  };
  const connection = connect({lines: transport.lines, send}, recordingHandlers([], handlers), {clientInfo});
  function ask(method: string, params: object, count: number): void {
    const request = (id: number) =>
      JSON.stringify({jsonrpc: '2.0', id, method, params: {sessionId: 's', ...params}});
    transport.receive(...Array.from({length: count}, (_, index) => request(index + 1)));
  }
  const answers = () => transport.sent.map((line) => JSON.parse(line) as Answer);
  return {transport, connection, read, ask, answers};
}

test('an agent that does not read pauses its requests at the limit and gets the rest when it reads', async () => {
  let made = 0;
  const agent = connectTo({
    async readTextFile() {
      made++;
      await macrotask();
      return {content: 'x'.repeat(10 * MIB)};
    },
  });
  agent.ask('fs/read_text_file', {path: '/big'}, 40);
  await agent.transport.drained();
  await expect.poll(() => made).toBe(Math.floor(LIMITS.unreadBytes / (10 * MIB)));
  await macrotask();
  expect(made).toBe(Math.floor(LIMITS.unreadBytes / (10 * MIB)));
  agent.read();
  await expect.poll(() => agent.transport.sent.length).toBe(40);
  expect(made).toBe(40);
  agent.connection.close();
});

test('too many open requests of an agent are rejected with an error, reported once', async () => {
  const reported: string[] = [];
  const {promise, resolve} = Promise.withResolvers<object>();
  const agent = connectTo({
    waitForTerminalExit: () => promise,
    limited: (text) => void reported.push(text),
  });
  agent.read();
  agent.ask('terminal/wait_for_exit', {terminalId: 't'}, LIMITS.requests + 5);
  await expect.poll(() => agent.answers().length).toBe(5);
  expect(agent.answers()[0]?.error).toMatchObject({
    code: -32603,
    message: 'Too many at once: 512 unanswered requests already.',
  });
  expect(reported).toEqual(['The agent had 512 unanswered requests and sent more, which were rejected.']);
  resolve({exitCode: 0});
  await expect.poll(() => agent.answers().length).toBe(LIMITS.requests + 5);
  agent.connection.close();
});

test('more requests than a user could answer are rejected', async () => {
  const agent = connectTo({requestPermission: () => new Promise(() => {})});
  agent.read();
  const params = {toolCall: {toolCallId: 'c'}, options: [{optionId: 'y', name: 'Yes', kind: 'allow_once'}]};
  agent.ask('session/request_permission', params, LIMITS.questions + 1);
  await expect.poll(agent.answers).toEqual([
    expect.objectContaining({
      error: expect.objectContaining({message: expect.stringContaining('100 unanswered')}),
    }),
  ]);
  agent.connection.close();
});

test('too many requests per second are rejected', async () => {
  const reported: string[] = [];
  const limits = createRequestLimits((text) => void reported.push(text));
  const run = () => limits.run('other', async () => 'served');
  const all = await Promise.allSettled(Array.from({length: LIMITS.requestsPerSecond + 1}, run));
  // They are open only for a moment: most of them are rejected for that.
  expect(all.at(-1)).toMatchObject({status: 'rejected'});
  for (let count = 0; count < LIMITS.requestsPerSecond; count++) await run().catch(() => {});
  expect(reported).toContain('The agent had 2000 requests in one second and sent more, which were rejected.');
});

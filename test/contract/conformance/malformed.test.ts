import {setImmediate} from 'node:timers/promises';
import * as fc from 'fast-check';
import {expect, test, vi} from 'vitest';
import {connect} from '../../../src/protocol/connect.ts';
import {findingsIn} from '../../../src/protocol/wire-findings.ts';
import {v2Transport} from '../../../src/protocol/v2/v2-transport.ts';
import {exchangesOf} from '../../../src/recording/exchanges.ts';
import type {WireMessage} from '../../../src/protocol/handlers-interface.ts';
import type {Update} from '../../../src/session/events.ts';
import type {SchemaVersion} from '../../support/hostile/from-schema.ts';
import {initialize2} from '../../support/hostile/initialize-2.ts';
import {wireLines} from '../../support/hostile/wire-lines.ts';
import {lineTransport} from '../../support/program/line-transport.ts';

const words = {text: fc.string({maxLength: 12}), id: fc.constantFrom('a', 'b', 'c')};

/** A client of an agent whose lines are the test's; its user answers nothing. */
async function wired(version: SchemaVersion) {
  const transport = lineTransport();
  const updates: Update[] = [];
  const log: string[] = [];
  const wire: WireMessage[] = [];
  const connection = connect(
    version === 2 ? v2Transport(transport) : transport,
    {
      sessionUpdate: (_, update) => void updates.push(update),
      requestPermission: () => new Promise(() => {}),
      createElicitation: () => new Promise(() => {}),
    },
    {
      clientInfo: {name: 'test', version: '0'},
      log: (level, text) => void (level === 'debug' || log.push(text)),
      onWire: (message) => wire.push(message),
    },
  );
  if (version === 2) await initialize2(connection, transport);
  async function prints(...lines: readonly string[]): Promise<void> {
    transport.receive(...lines);
    await transport.drained();
    await setImmediate();
  }
  return {connection, transport, updates, log, wire, prints};
}

const update = (sessionId: string, sent: object) =>
  JSON.stringify({jsonrpc: '2.0', method: 'session/update', params: {sessionId, update: sent}});

test.each([1, 2] as const)(
  'no message of version %d ends the connection, or gets an answer that allows something',
  async (version) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await fc.assert(
      fc.asyncProperty(fc.array(wireLines(words, version), {maxLength: 20}), async (lines) => {
        const {connection, transport, updates, prints} = await wired(version);
        await prints(...lines);
        const content = {type: 'text', text: 'still here'};
        await prints(update('s', {sessionUpdate: 'agent_message_chunk', messageId: 'last', content}));
        await expect.poll(() => JSON.stringify(updates.at(-1)), {interval: 1}).toContain('still here');
        const sent = transport.sent.map((line) => JSON.parse(line) as {readonly result?: object});
        // An update that is sent as a request is answered with nothing.
        expect(sent.filter(({result = {}}) => Object.keys(result).length > 0)).toEqual([]);
        connection.close();
      }),
      {numRuns: 60},
    );
  },
);

test.each([
  ['an update without its ID', {sessionUpdate: 'agent_message_chunk', content: {type: 'text', text: 'a'}}],
  ['a tool call without its ID', {sessionUpdate: 'tool_call_update', title: 'a'}],
  ['a state that is no text', {sessionUpdate: 'state_update', state: 5}],
  ['a plan without content', {sessionUpdate: 'plan_update'}],
  ['terminal output without data', {sessionUpdate: 'terminal_output_chunk', terminalId: 't'}],
])('%s is kept, and named in the log and by inspect', async (_, sent) => {
  const {connection, log, wire, prints} = await wired(2);
  await prints(update('s', sent));
  const named = `session/update ${sent.sessionUpdate}: `;
  await expect.poll(() => log.join('\n')).toContain(named);
  const lines = wire.map(({direction, line}, index) => ({
    t: index,
    d: direction === 'to_agent' ? ('>' as const) : ('<' as const),
    m: JSON.parse(line),
  }));
  expect(JSON.stringify(lines)).toContain(JSON.stringify(sent));
  const exchanges = exchangesOf(lines);
  const findings = exchanges.flatMap(findingsIn(exchanges));
  expect(findings.map(({text}) => text)).toContainEqual(expect.stringContaining(named));
  connection.close();
});

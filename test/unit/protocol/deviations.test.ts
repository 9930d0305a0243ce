import {describe, expect, test} from 'vitest';
import {zSessionNotification} from '../../../node_modules/@agentclientprotocol/sdk/dist/v1/unstable/schema/zod.gen.js';
import {type Deviation, createNormalizer} from '../../../src/protocol/normalize/deviation.ts';
import {DEVIATIONS, readPermission, readUpdate} from '../../../src/protocol/normalize/messages.ts';
import {unknownToolContent} from '../../../src/protocol/normalize/tool-calls.ts';
import {OTHERS, PERMISSIONS, REQUEST, text, UPDATES} from './deviation-samples.ts';
import type {JsonObject} from '../../../src/text/json.ts';

const correct = createNormalizer(() => {});

function update(raw: JsonObject): JsonObject {
  return readUpdate({sessionId: 's', update: raw}, correct, () => {}).update as unknown as JsonObject;
}

/** What the SDK's own client would make of the update; undefined if it drops it. */
function strict(raw: JsonObject): unknown {
  return zSessionNotification.safeParse({sessionId: 's', update: raw}).data?.update;
}

describe('updates', () => {
  test.each(UPDATES)('%s: %j', (_, raw, arrives) => {
    expect(update(raw)).toMatchObject(arrives);
    expect(strict(raw) ?? {}).not.toMatchObject(arrives);
  });

  test('flat-update: without a nested update', () => {
    const flat = {sessionId: 's', sessionUpdate: 'current_mode_update', currentModeId: 'code'};
    expect(readUpdate(flat, correct, () => {})).toEqual({
      sessionId: 's',
      update: {sessionUpdate: 'current_mode_update', currentModeId: 'code'},
    });
  });

  test('a valid update is unchanged', () => {
    const raw = {
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: '',
      kind: 'execute',
      status: 'pending',
      content: [text('a'), {type: 'terminal', terminalId: 't'}],
      locations: [{path: '/a', line: null}],
      rawInput: {a: 1},
    };
    expect(update(raw)).toEqual(raw);
  });

  test.each([
    ['an unknown kind', {sessionUpdate: 'hologram', x: 1}, 'hologram'],
    ['the name of an object method', {sessionUpdate: 'constructor'}, 'constructor'],
    ['no kind', {content: 'x'}, 'none'],
    ['a known kind that cannot be corrected', {sessionUpdate: 'tool_call', title: 'no id'}, 'tool_call'],
    [
      'content of an unknown type',
      {sessionUpdate: 'agent_message_chunk', content: {type: 'video'}},
      'agent_message_chunk',
    ],
  ])('%s arrives as an unknown update with its JSON', (_, raw, kind) => {
    expect(update(raw)).toEqual({sessionUpdate: '_unknown', kind, json: JSON.stringify(raw)});
  });

  test.each([undefined, null, 'text', 5, [], {update: null}])('the parameters %j are tolerated', (params) => {
    expect(readUpdate(params, correct, () => {})).toMatchObject({
      sessionId: '',
      update: {sessionUpdate: '_unknown', kind: 'none'},
    });
  });

  test('omitted items are logged', () => {
    const log: string[] = [];
    const raw = {
      sessionUpdate: 'config_option_update',
      configOptions: [{id: 'o', name: 'O', type: 'slider'}],
    };
    readUpdate({sessionId: 's', update: raw}, correct, (_, line) => log.push(line));
    expect(log).toEqual([expect.stringContaining('"configOptions"')]);
  });
});

describe('permission requests', () => {
  const read = (changes: JsonObject) => readPermission({...REQUEST, ...changes}, correct);

  test('a valid one is unchanged, without its JSON', () => {
    expect(read({})).toEqual({request: REQUEST});
  });

  test.each(PERMISSIONS)('%s: corrected, and the user gets the JSON: %j', (_, changes, arrives) => {
    const {request: arrived, raw} = read(changes);
    expect(arrived).toMatchObject(arrives);
    expect(raw).toBe(JSON.stringify({...REQUEST, ...changes}));
  });

  test('the JSON is shown if a field was lost without a correction', () => {
    const changes = {toolCall: {...REQUEST.toolCall, locations: [{path: 5}]}};
    expect(read(changes).raw).toBe(JSON.stringify({...REQUEST, ...changes}));
  });

  test('one without a session is rejected', () => {
    expect(() => read({sessionId: undefined})).toThrow(/sessionId/);
  });
});

describe('other messages', () => {
  test.each(OTHERS)('$name: $raw', ({deviations, raw, corrected}) => {
    expect(correct(raw, deviations)).toEqual(corrected);
    expect(correct(corrected, deviations)).toBe(corrected);
  });

  test.each([
    {jsonrpc: '2.0', id: 0, method: 'm', params: null},
    {jsonrpc: '2.0', id: null, result: null},
    {jsonrpc: '2.0', id: 'a', error: {code: -32000, message: ''}},
    {jsonrpc: '2.0', method: 'm', error: 'not an answer'},
  ])('%j is unchanged', (message) => {
    expect(correct(message, DEVIATIONS.envelope)).toBe(message);
  });
});

test('a deviation is logged once per connection', () => {
  const log: string[] = [];
  const own = createNormalizer((_, line) => log.push(line));
  for (const status of ['running', 'done'])
    readUpdate(
      {sessionId: 's', update: {sessionUpdate: 'tool_call_update', toolCallId: 'c', status}},
      own,
      () => {},
    );
  expect(log).toEqual([expect.stringContaining('tool-status')]);
});

test('no correction mutates the message', () => {
  for (const [, raw] of UPDATES) {
    const before = JSON.stringify(raw);
    update(raw);
    expect(JSON.stringify(raw)).toBe(before);
  }
});

test('every registered deviation has a sample here', () => {
  const isList = (value: unknown): value is readonly Deviation[] => Array.isArray(value);
  const lists = Object.values(DEVIATIONS).flatMap((value) =>
    isList(value) ? [value] : Object.values(value),
  );
  const names = new Set([unknownToolContent, ...lists.flat()].map(({name}) => name));
  const sampled = new Set([
    'flat-update',
    ...[...UPDATES, ...PERMISSIONS].map(([name]) => name),
    ...OTHERS.map(({name}) => name),
  ]);
  expect(names).toEqual(sampled);
});

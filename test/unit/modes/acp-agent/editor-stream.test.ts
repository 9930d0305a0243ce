import type {AnyMessage} from '@agentclientprotocol/sdk/unstable';
import {expect, test} from 'vitest';
import {editorStream} from '../../../../src/modes/acp-agent/editor-stream.ts';

const LIMIT = 1024 * 1024;
const LONG = 'x'.repeat(LIMIT);
const SHORT = {jsonrpc: '2.0', id: 9, method: 'session/list', params: {}} as const;

/** Sends lines in pieces of a size; returns the messages that are read, and what was written for others. */
async function exchange(lines: readonly string[], size: number) {
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
  const answers: unknown[] = [];
  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
      controller.close();
    },
  });
  const output = new WritableStream<Uint8Array>({
    write: (written) => void answers.push(JSON.parse(new TextDecoder().decode(written))),
  });
  const read: AnyMessage[] = [];
  for await (const message of editorStream({input, output}, LIMIT).readable) read.push(message);
  return {read, answers};
}

const params = {text: `${LONG}"id":7,`, id: 8};

test.each([
  ['with its id first', {jsonrpc: '2.0', id: 5, method: 'session/prompt', params}, 5],
  ['with its id before the method', {id: 'a"b', method: 'session/prompt', params, jsonrpc: '2.0'}, 'a"b'],
  ['with its id last', {jsonrpc: '2.0', method: 'session/prompt', params, id: 6}, 6],
  ['without an id', {jsonrpc: '2.0', method: 'session/cancel', params}, null],
  ['that is an answer', {jsonrpc: '2.0', id: 5, result: params}, null],
])('a message over the limit %s is refused, and the next one is read', async (_, message, id) => {
  for (const size of [700, 65_536, 4 * LIMIT]) {
    const lines = [message, SHORT, message, SHORT].map((each) => JSON.stringify(each));
    const {read, answers} = await exchange(lines, size);
    const error = {code: -32600, message: expect.stringContaining('1 MiB are allowed') as string};
    expect(read).toEqual([SHORT, SHORT]);
    expect(answers).toEqual([
      {jsonrpc: '2.0', id, error},
      {jsonrpc: '2.0', id, error},
    ]);
  }
});

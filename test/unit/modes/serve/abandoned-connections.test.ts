import {EventEmitter} from 'node:events';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {followConnections} from '../../../../src/modes/serve/abandoned-connections.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const MINUTE_MS = 60_000;

function following() {
  const ended: string[] = [];
  const connections = followConnections((id) => void ended.push(id));
  /** A request of the connection `one`; returns what ends its response. `initialize` gets its ID with the response. */
  function request(method: 'GET' | 'POST' | 'DELETE', isInitialize = false): () => void {
    const response = Object.assign(new EventEmitter(), {getHeader: () => 'one'});
    const headers = isInitialize ? {} : {'acp-connection-id': 'one'};
    connections.follow(
      {method, headers} as unknown as IncomingMessage,
      response as unknown as ServerResponse,
    );
    return () => void response.emit('close');
  }
  return {ended, request};
}

test('a connection whose client never opens a stream ends after a minute', () => {
  const {ended, request} = following();
  request('POST', true)();
  vi.advanceTimersByTime(MINUTE_MS - 1);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual(['one']);
});

test('a connection with an open stream is kept, and ends a minute after its last one', () => {
  const {ended, request} = following();
  request('POST', true)();
  const endOne = request('GET');
  const endOther = request('GET');
  vi.advanceTimersByTime(10 * MINUTE_MS);
  endOne();
  request('POST')();
  vi.advanceTimersByTime(10 * MINUTE_MS);
  expect(ended).toEqual([]);
  endOther();
  vi.advanceTimersByTime(MINUTE_MS);
  expect(ended).toEqual(['one']);
});

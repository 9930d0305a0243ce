import {EventEmitter} from 'node:events';
import type {Socket} from 'node:net';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {WebSocket} from 'ws';
import {endWhenGone} from '../../../../src/modes/serve/gone-clients.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const PING_MS = 30_000;

function connected() {
  const socket = {bytesWritten: 0, writableLength: 0};
  /** Each ping takes two bytes, and reaches the system at once unless something is waiting before it. */
  const ping = () => {
    socket.bytesWritten += 2;
    if (socket.writableLength > 0) socket.writableLength += 2;
  };
  const terminate = vi.fn<() => void>();
  const client = Object.assign(new EventEmitter(), {ping, terminate});
  endWhenGone(client as unknown as WebSocket, {
    firstMessageMs: PING_MS,
    pingMs: PING_MS,
    socket: socket as unknown as Socket,
  });
  client.emit('message');
  return {client, socket, terminate};
}

test('a client that neither answers nor reads is gone after two intervals', () => {
  const {terminate} = connected();
  vi.advanceTimersByTime(2 * PING_MS - 1);
  expect(terminate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(terminate).toHaveBeenCalled();
});

test('a client that stops reading is gone, too', () => {
  const {terminate, socket} = connected();
  Object.assign(socket, {bytesWritten: 5000, writableLength: 4000});
  vi.advanceTimersByTime(2 * PING_MS);
  expect(terminate).toHaveBeenCalled();
});

test('a client that answers stays', () => {
  const {client, terminate} = connected();
  for (let count = 0; count < 10; count++) {
    vi.advanceTimersByTime(PING_MS);
    client.emit('pong');
  }
  expect(terminate).not.toHaveBeenCalled();
});

test('a slow client stays, whose pong comes only after it has read what was sent before the ping', () => {
  const {terminate, socket} = connected();
  for (let count = 0; count < 10; count++) {
    Object.assign(socket, {bytesWritten: socket.bytesWritten + 1000, writableLength: 5000});
    vi.advanceTimersByTime(PING_MS);
  }
  expect(terminate).not.toHaveBeenCalled();
});

test('a client that sends nothing first is ended', () => {
  const client = Object.assign(new EventEmitter(), {ping: () => {}, terminate: vi.fn<() => void>()});
  const socket = {bytesWritten: 0, writableLength: 0} as unknown as Socket;
  endWhenGone(client as unknown as WebSocket, {firstMessageMs: 1000, pingMs: PING_MS, socket});
  vi.advanceTimersByTime(1000);
  expect(client.terminate).toHaveBeenCalled();
});

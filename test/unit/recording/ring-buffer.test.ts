import {expect, test} from 'vitest';
import {createWireRingBuffer} from '../../../src/recording/ring-buffer.ts';
import type {WireEvent} from '../../../src/recording/format.ts';

const started: WireEvent = {
  kind: 'started',
  pid: 1,
  at: 0,
  agent: {label: 'a', command: 'a', args: []},
  cwd: '/',
};
const said = (id: number, text = ''): WireEvent => ({
  kind: 'message',
  pid: 1,
  at: id,
  direction: 'from_agent',
  line: JSON.stringify({id, text}),
});

test('keeps the newest messages in order, as many as fit, and the start of their process', () => {
  const ring = createWireRingBuffer({units: 1_000_000, events: 3});
  ring.add(started);
  for (let id = 1; id <= 5000; id++) ring.add(said(id));
  expect(ring.lines()).toMatchObject([{e: 'start'}, {m: {id: 4998}}, {m: {id: 4999}}, {m: {id: 5000}}]);
  for (let id = 1; id <= 3; id++) ring.add({...said(id), pid: 2});
  expect(ring.lines()).toMatchObject([{m: {id: 1}}, {m: {id: 2}}, {m: {id: 3}}]);
});

test('drops messages for large ones, and keeps the newest even if it is too large', () => {
  const ring = createWireRingBuffer({units: 100, events: 1000});
  ring.add(said(1));
  ring.add(said(2, 'x'.repeat(70)));
  expect(ring.lines()).toMatchObject([{m: {id: 2}}]);
  ring.add(said(3, 'x'.repeat(500)));
  expect(ring.lines()).toMatchObject([{m: {id: 3}}]);
});

import {setImmediate} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {expect, test} from 'vitest';
import {createWireRingBuffer} from '../../../../src/recording/ring-buffer.ts';
import type {WireEvent} from '../../../../src/recording/format.ts';

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

test('messages dropped from the wire ring free their memory, even single large ones', async () => {
  const ring = createWireRingBuffer({units: 100, events: 100});
  const seen = Array.from({length: 200}, (_, at) => {
    const event: WireEvent = {kind: 'message', pid: 1, at, direction: 'from_agent', line: 'x'.repeat(90)};
    ring.add(event);
    return new WeakRef(event);
  });
  await setImmediate();
  collectGarbage();
  expect(seen.filter((event) => event.deref() !== undefined)).toHaveLength(1);
  expect(ring.lines()).toHaveLength(1);
});

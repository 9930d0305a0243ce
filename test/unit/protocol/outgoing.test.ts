import {expect, test} from 'vitest';
import {traceContext} from '../../../src/protocol/outgoing.ts';

const TRACEPARENT = '00-80e1afed08e019fc1110464cfa66635c-7a085853722dc6d2-01';

test('is what the environment says', () => {
  expect(traceContext({TRACEPARENT, TRACESTATE: 'vendor=1', BAGGAGE: 'user=2'})).toEqual({
    traceparent: TRACEPARENT,
    tracestate: 'vendor=1',
    baggage: 'user=2',
  });
  expect(traceContext({TRACEPARENT})).toEqual({traceparent: TRACEPARENT});
  expect(traceContext({BAGGAGE: 'user=2'})).toEqual({baggage: 'user=2'});
});

test.each([
  {},
  {TRACEPARENT: '', BAGGAGE: ''},
  {TRACESTATE: 'vendor=1'},
  {TRACEPARENT: 'nonsense', TRACESTATE: 'vendor=1'},
  {TRACEPARENT: TRACEPARENT.toUpperCase()},
  {TRACEPARENT: TRACEPARENT.replace(/^00/, 'ff')},
  {TRACEPARENT: `00-${'0'.repeat(32)}-7a085853722dc6d2-01`},
  {TRACEPARENT: `00-80e1afed08e019fc1110464cfa66635c-${'0'.repeat(16)}-01`},
])('%j is none', (env) => {
  expect(traceContext(env)).toBeUndefined();
});

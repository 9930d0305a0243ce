import {describe, expect, test} from 'vitest';
import {EXIT_CODES, exitCodeOf, exitCodeIfUnwritable, type RunOutcome} from '../../../src/cli/exit-codes.ts';

const ended: RunOutcome = {
  signal: undefined,
  timedOut: false,
  failure: undefined,
  denied: false,
  stopReason: 'end_turn',
};
const lost = {kind: 'connection_lost', exit: undefined, stderrTail: ''} as const;
const unauthenticated = {kind: 'authentication_required', methods: []} as const;

describe('a single reason', () => {
  test.each<[number, Partial<RunOutcome>]>([
    [0, {}],
    [1, {failure: lost}],
    [2, {failure: {kind: 'unknown_value', what: 'mode', value: 'x', valid: []}}],
    [3, {timedOut: true}],
    [5, {denied: true}],
    [5, {denied: true, stopReason: 'cancelled'}],
    [1, {stopReason: 'cancelled'}],
    [1, {stopReason: undefined}],
    [6, {failure: unauthenticated}],
    [7, {stopReason: 'refusal'}],
    [8, {stopReason: 'max_tokens'}],
    [8, {stopReason: 'max_turn_requests'}],
    [8, {stopReason: 'cancelled', denied: true, limitReached: 'This turn has cost $1.00 of $1.00.'}],
    [129, {signal: 'SIGHUP'}],
    [130, {signal: 'SIGINT'}],
    [141, {signal: 'SIGPIPE'}],
    [143, {signal: 'SIGTERM'}],
  ])('gives %i for %j', (code, outcome) => {
    expect(exitCodeOf({...ended, ...outcome})).toBe(code);
  });
});

test('results that could not be written make a failure of every run that had some, and change no other code', () => {
  const codes = EXIT_CODES.map(([code]) => code);
  const changed = codes.filter((code) => exitCodeIfUnwritable(code) !== code);
  expect(changed).toEqual([0, 5, 7, 8]);
  expect(changed.map(exitCodeIfUnwritable)).toEqual([1, 1, 1, 1]);
});

test('the most important of several reasons wins: a signal, 3, 6, 1, 7, 8, 5', () => {
  const all: RunOutcome = {
    signal: 'SIGTERM',
    timedOut: true,
    failure: unauthenticated,
    denied: true,
    stopReason: 'refusal',
  };
  const weaker: Partial<RunOutcome>[] = [
    {},
    {signal: undefined},
    {timedOut: false},
    {failure: lost},
    {failure: undefined},
    {stopReason: 'max_tokens'},
    {stopReason: 'end_turn'},
    {denied: false},
  ];
  let outcome = all;
  const codes = weaker.map((change) => {
    outcome = {...outcome, ...change};
    return exitCodeOf(outcome);
  });
  expect(codes).toEqual([143, 3, 6, 1, 7, 8, 5, 0]);
});

test('every code is documented once', () => {
  const codes = EXIT_CODES.map(([code]) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes).toEqual([...codes].sort((a, b) => a - b));
});

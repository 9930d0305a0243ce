import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {cpuTimeOf} from '../../../support/cpu-time.ts';
import {initialSession} from '../../../../src/session/initial.ts';
import {List} from '../../../../src/session/transcript/persistent-list.ts';
import {reduce} from '../../../../src/session/reduce.ts';

const isEven = (item: number) => item % 2 === 0;
const numbers = fc.array(fc.nat(99), {maxLength: 600, size: 'max'});

describe('a list', () => {
  test('reads like an array of the same items', () => {
    fc.assert(
      fc.property(
        numbers,
        fc.integer({min: -700, max: 700}),
        fc.integer({min: -700, max: 700}),
        (array, one, other) => {
          const list = array.reduce((list, item) => list.append(item), List.from<number>([]));
          expect([...list]).toEqual(array);
          expect([...List.from(array)]).toEqual(array);
          expect(JSON.stringify(list)).toBe(JSON.stringify(array));
          expect([list.length, list.at(one), list.get(one)]).toEqual([
            array.length,
            array.at(one),
            array[one],
          ]);
          expect(list.slice(one, other)).toEqual(array.slice(one, other));
          expect([list.find(isEven), list.findLast(isEven)]).toEqual([
            array.find(isEven),
            array.findLast(isEven),
          ]);
          expect([list.findLastIndex(isEven), list.some(isEven)]).toEqual([
            array.findLastIndex(isEven),
            array.some(isEven),
          ]);
          expect(list.filter(isEven)).toEqual(array.filter(isEven));
        },
      ),
    );
  });

  test('stays unchanged when another is made from it', () => {
    fc.assert(
      fc.property(numbers, fc.nat(599), (array, index) => {
        fc.pre(index < array.length);
        const list = List.from(array);
        expect(list.append(-1).slice()).toEqual([...array, -1]);
        expect(list.with(index, -1).slice()).toEqual(array.with(index, -1));
        expect([...list]).toEqual(array);
      }),
    );
  });

  test('cannot be changed beyond its end', () => {
    expect(() => List.from([1]).with(300, 2)).toThrow(RangeError);
  });
});

/** The time a session needs for this many tool calls, the least of three runs. */
function timeFor(calls: number): number {
  return Math.min(...[1, 2, 3].map(() => cpuTimeOf(() => takeIn(calls))));
}

function takeIn(calls: number): void {
  let session = initialSession({cwd: '/work', additionalDirectories: [], at: 0});
  for (let at = 0; at < calls; at++) {
    const update = {sessionUpdate: 'tool_call', toolCallId: String(at), title: 'Read'} as const;
    session = reduce(session, {type: 'session_update', update, at});
  }
}

test('ten times the entries take about ten times as long, not a hundred times', () => {
  timeFor(1000);
  expect(timeFor(40_000) / timeFor(4000)).toBeLessThan(40);
});

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Entry} from '../../../../src/session/entries.ts';
import {EntryList, wireIdOf} from '../../../../src/session/transcript/entry-list.ts';

const call = fc.record({
  type: fc.constant('tool_call' as const),
  toolCallId: fc.constantFrom('a', 'a #2', 'a #3', 'b', 'constructor'),
  askedAs: fc.constantFrom(undefined, 'a', 'b'),
});
const message = fc.record({
  type: fc.constantFrom('user_message' as const, 'agent_message' as const),
  messageId: fc.constantFrom(undefined, 'a', 'b'),
});
const entry = fc.oneof({weight: 3, arbitrary: call}, message) as fc.Arbitrary<Entry>;
const entries = fc.array(entry, {maxLength: 700, size: 'max'});

describe('a list of entries', () => {
  test('reads like an array of them', () => {
    fc.assert(
      fc.property(
        entries,
        fc.integer({min: -800, max: 800}),
        fc.integer({min: -800, max: 800}),
        (array, a, b) => {
          const list = EntryList.from(array);
          const isCall = ({type}: Entry) => type === 'tool_call';
          expect([...list]).toEqual(array);
          expect([list.length, list.at(a), list.get(a)]).toEqual([array.length, array.at(a), array[a]]);
          expect(list.slice(a, b)).toEqual(array.slice(a, b));
          expect([list.find(isCall), list.findLast(isCall)]).toEqual([
            array.find(isCall),
            array.findLast(isCall),
          ]);
          expect(list.findLastIndex(isCall)).toBe(array.findLastIndex(isCall));
          expect(list.filter(isCall)).toEqual(array.filter(isCall));
        },
      ),
    );
  });

  test('stays as it is when another is made from it', () => {
    fc.assert(
      fc.property(entries, fc.nat(699), entry, (array, index, other) => {
        fc.pre(index < array.length);
        const list = EntryList.from(array);
        expect(list.append(other).slice()).toEqual([...array, other]);
        expect(list.with(index, other).slice()).toEqual(array.with(index, other));
        expect(list.slice()).toEqual(array);
      }),
    );
  });

  test('has the last entry with each name, also after one got another', () => {
    fc.assert(
      fc.property(entries, fc.nat(699), entry, (array, index, other) => {
        fc.pre(index < array.length);
        const changed = array.with(index, other);
        const list = EntryList.from(array).with(index, other);
        const last = (isNamed: (entry: Entry) => boolean) => changed.findLastIndex(isNamed);
        for (const id of ['a', 'a #2', 'b', 'constructor', 'c']) {
          const isCall = (one: Entry) => one.type === 'tool_call' && one.toolCallId === id;
          const isWire = (one: Entry) => one.type === 'tool_call' && wireIdOf(one.toolCallId) === id;
          const isAsked = (one: Entry) => one.type === 'tool_call' && one.askedAs === id;
          const isMessage = (one: Entry) => one.type === 'agent_message' && one.messageId === id;
          expect(list.lastNamed('tool_call', id)).toBe(last(isCall));
          expect(list.lastNamed('wire_id', id)).toBe(last(isWire));
          expect(list.lastNamed('asked_as', id)).toBe(last(isAsked));
          expect(list.lastNamed('agent_message', id)).toBe(last(isMessage));
        }
        expect(list.lastNamed('prompt', '')).toBe(last(({type}) => type === 'user_message'));
        const isOwn = (one: Entry) => one.type === 'tool_call' && one.askedAs === one.toolCallId;
        expect(list.lastNamed('own_call', '')).toBe(last(isOwn));
      }),
    );
  });
});

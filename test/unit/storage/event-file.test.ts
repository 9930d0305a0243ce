import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {lineOf, parseLine} from '../../../src/storage/sessions/event-lines.ts';
import type {SessionEvent} from '../../../src/session/events.ts';
import {reduce} from '../../../src/session/reduce.ts';
import {type UntimedEvent, opened} from '../../support/session/build.ts';
import {anyEvent} from '../../support/session/arbitrary.ts';

/** As on the wire: an agent sends JSON. */
function sent(untimed: UntimedEvent, index: number): SessionEvent {
  const event = {at: index, ...untimed} as SessionEvent;
  if (event.type !== 'session_update') return event;
  return {...event, update: JSON.parse(JSON.stringify(event.update))};
}

test('events that were written as lines and read again give the same state', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, {maxLength: 40}), (untimedEvents) => {
      const events = untimedEvents.map(sent);
      const read = events.map((event) => {
        const line = lineOf(event);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        return parseLine(line);
      });
      const again = read.filter((line): line is SessionEvent => line !== undefined && 'type' in line);
      expect(again).toHaveLength(events.length);
      expect(again.reduce(reduce, opened)).toEqual(events.reduce(reduce, opened));
    }),
  );
});

test.each([
  '',
  '{"type":"notice","at":1,',
  'null',
  '[]',
  '1',
  '{"type":"notice"}',
  '{"at":1}',
  '{"v":2,"id":"x"}',
  '{"type":"of_a_newer_version","at":1}',
  '{"type":"constructor","at":1}',
  // It would be sent to the agent.
  '{"type":"queue_changed","change":{"kind":"submit","prompt":{"text":"a","content":[]},"place":"last"},"at":1}',
  '{"type":"approval_changed","approval":"all","at":1}',
])('the torn or foreign line %j, or one that is not stored, or of a newer version, is skipped', (text) => {
  expect(parseLine(text)).toBeUndefined();
});

test('an event without one of its fields is skipped, or can do without it', () => {
  fc.assert(
    fc.property(anyEvent, fc.nat(), (untimed, which) => {
      const event: Record<string, unknown> = {...sent(untimed, 0)};
      const names = Object.keys(event).filter((name) => name !== 'type');
      delete event[names[which % names.length] ?? ''];
      const read = parseLine(JSON.stringify(event)) as SessionEvent | undefined;
      expect(() => read && reduce(opened, read)).not.toThrow();
    }),
    {numRuns: 1000},
  );
});

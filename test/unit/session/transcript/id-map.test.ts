import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {IdMap} from '../../../../src/session/terminals/id-map.ts';

const value = fc.record({
  id: fc.constantFrom('constructor', ...Array.from({length: 300}, (_, id) => `${id}`)),
  at: fc.nat(),
});
const values = fc.array(value, {maxLength: 900, size: 'max'});

test('a map by ID has the last value of each, in the order in which they were added, and stays as it is', () => {
  fc.assert(
    fc.property(values, values, (first, then) => {
      const before = IdMap.from(first);
      const after = then.reduce((map, each) => map.with(each), before);
      const expected = new Map(first.map((each) => [each.id, each]));
      expect([...before]).toEqual([...expected.values()]);
      for (const each of then) expected.set(each.id, each);
      expect([...after]).toEqual([...expected.values()]);
      for (const id of ['constructor', '0', '7', '299', 'x']) expect(after.get(id)).toBe(expected.get(id));
    }),
  );
});

import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {cpuTimeOf, leastCpuTimeOf} from '../../support/cpu-time.ts';
import {
  containing,
  fuzzyFind,
  matchOffsets,
  prepareToFind,
  matchedWords,
  type Findable,
} from '../../../src/app/completion/fuzzy-find.ts';

const models: readonly Findable[] = [
  {id: 'a/large', label: 'Claude Large', group: 'First', description: 'Thorough; slow'},
  {id: 'a/small', label: 'Claude Small', group: 'First', description: 'Quick answers'},
  {id: 'b/5', label: 'GPT-5 Codex', group: 'Second'},
  {id: 'b/5-mini', label: 'GPT-5 mini', group: 'Second', description: 'A small Claude rival'},
];

function found(typed: string, items = models) {
  return fuzzyFind(items, typed).map(({label}) => label);
}

describe('a query finds', () => {
  it('everything when it is blank', () => {
    expect(fuzzyFind(models, '  ')).toBe(models);
  });

  it('every word in the label, the ID, the group or the description, in any order', () => {
    expect(found('quick first')).toEqual(['Claude Small']);
    expect(found('a/lar')).toEqual(['Claude Large']);
    expect(found('thorough gpt')).toEqual([]);
  });

  it('exact names first, then prefixes, then names that contain it, then the rest', () => {
    const items = ['reset mode', 'mode of work', 'model', 'mode', 'other'].map((label) => ({
      id: label,
      label,
      description: label === 'other' ? 'has a mode' : '',
    }));
    expect(found('mode', items)).toEqual(['mode', 'mode of work', 'model', 'reset mode', 'other']);
  });

  it('similar items after those that match literally', () => {
    expect(found('gpt5')).toEqual(['GPT-5 mini', 'GPT-5 Codex']);
    expect(found('clsm')).toEqual(['Claude Small']);
    expect(found('zzz')).toEqual([]);
    const undo = ['cut to the end of the line', 'undo'].map((label) => ({id: label, label}));
    expect(found('undo', undo)).toEqual(['undo']);
    expect(found('gpt-5', [...models, {id: 'x', label: 'gpt5'}])).toContain('GPT-5 Codex');
  });

  it('the items of a group together, the group of the best match first', () => {
    expect(found('small')).toEqual(['Claude Small', 'GPT-5 mini']);
    expect(found('claude')).toEqual(['Claude Large', 'Claude Small', 'GPT-5 mini']);
  });
});

it('a query finds only known items, none twice, and all that have every word', () => {
  const item = fc.record({
    id: fc.string(),
    label: fc.string({unit: 'grapheme'}),
    group: fc.option(fc.constantFrom('x', 'y'), {nil: undefined}),
  });
  fc.assert(
    fc.property(fc.array(item), fc.string({maxLength: 4}), (items, typed) => {
      const left = fuzzyFind(items, typed);
      expect(new Set(left).size).toBe(left.length);
      expect(left.every((one) => items.includes(one))).toBe(true);
      for (const literal of containing(items, typed)) expect(left).toContain(literal);
    }),
  );
});

it('containing keeps the order of the items', () => {
  const items = ['fix mode', 'other', 'mode'].map((label) => ({id: label, label}));
  expect(containing(items, 'mode').map(({id}) => id)).toEqual(['fix mode', 'mode']);
});

describe('match highlights', () => {
  it('are the matched letters', () => {
    expect(matchOffsets('Claude Small', 'small clau')).toEqual([0, 1, 2, 3, 7, 8, 9, 10, 11]);
    expect(matchOffsets('GPT-5 Codex', 'gpt5')).toEqual([0, 1, 2, 4]);
    expect(matchOffsets('Claude', 'first')).toEqual([]);
    expect(matchOffsets('Claude', ' ')).toEqual([]);
  });

  it('are omitted for text whose length depends on its case', () => {
    expect(matchedWords('İstanbul', 'stan')).toEqual([]);
  });
});

/** The median duration of the searches, in ms, with different queries. */
function timeOf(items: readonly Findable[], typed: readonly string[]): number {
  prepareToFind(items);
  const times = typed.map((text) => cpuTimeOf(() => void fuzzyFind(items, text)));
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? NaN;
}

it('a key in a list of 10,000 costs only a few passes over its text', () => {
  const items = Array.from({length: 10_000}, (_, index) => ({
    id: `provider/model-${index}`,
    label: `Model ${index}`,
    group: index < 5000 ? 'First' : 'Second',
  }));
  const typed = Array.from(
    {length: 21},
    (_, index) => ['m', 'mdl', 'model 2', 'second 38', 'zq'][index % 5] + `${index}`,
  );
  const searching = timeOf(items, typed);
  const baseline = leastCpuTimeOf(() => {
    for (const {id, label} of items)
      `${label}\n${id}`.toLowerCase().split('').reverse().join('').includes('qq');
  });
  expect(searching / baseline).toBeLessThan(5);
});

import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {sanitizeDeep, sanitize} from '../../../src/text/sanitize.ts';
import {hostileText, snippet} from '../../support/text/hostile.ts';

/** The plain recursive definition of the contract. */
function byRecursion(value: unknown): unknown {
  if (typeof value === 'string') return sanitize(value);
  if (Array.isArray(value)) return value.map(byRecursion);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [sanitize(key), byRecursion(child)]));
}

const hostileJson = fc.letrec((tie) => ({
  value: fc.oneof(
    {maxDepth: 4},
    hostileText,
    fc.constantFrom(null, true, 1.5, 'clean', ''),
    fc.array(tie('value'), {maxLength: 4}),
    fc.dictionary(fc.oneof(fc.constantFrom('a', '__proto__', 'constructor'), snippet), tie('value'), {
      maxKeys: 4,
    }),
  ),
})).value;

test('sanitizes every string and key, wherever it is', () => {
  fc.assert(
    fc.property(hostileJson, (value) => {
      expect(sanitizeDeep(value)).toEqual(byRecursion(value));
    }),
  );
});

test('keeps the reference of every part without changes', () => {
  const clean = {list: ['a', {b: 'c'}]};
  const mixed = {clean, hostile: {text: '\x1b[31mred'}};
  expect(sanitizeDeep(clean)).toBe(clean);
  const result = sanitizeDeep(mixed);
  expect(result).toEqual({clean, hostile: {text: 'red'}});
  expect(result.clean).toBe(clean);
});

test('skips what is under the keys to keep', () => {
  const value = {data: '\x1b[31m', content: {data: ['\x07'], text: '\x07'}};
  expect(sanitizeDeep(value, {keep: new Set(['data'])})).toEqual({
    data: '\x1b[31m',
    content: {data: ['\x07'], text: '␇'},
  });
});

test('cannot be used to reach a prototype', () => {
  const value = JSON.parse('{"__pro\\u001b[0mto__": {"polluted": "\\u0007"}}') as object;
  const result = sanitizeDeep(value);
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect(Object.keys(result)).toEqual(['__proto__']);
});

test('survives any depth', () => {
  let value: unknown = '\x1b[31mdeep';
  for (let level = 0; level < 20_000; level++) value = level % 2 ? [value] : {child: value};
  expect(JSON.stringify(sanitizeDeep(value))).toContain('"…"');
});

test('sanitizes a plain string', () => {
  expect(sanitizeDeep('\x1b[31mred')).toBe('red');
});

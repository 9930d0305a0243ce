import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {matchesGlob, hasWildcard, pathGlob, textGlob} from '../../../src/shared/glob.ts';
import {literalPattern} from '../../../src/session/requests/permission-rules.ts';

describe('a text pattern', () => {
  test.each<[string, string, boolean]>([
    ['npm test*', 'npm test', true],
    ['npm test*', 'npm test -- --watch', true],
    ['npm test*', 'npx npm test', false],
    ['*test*', 'npm test x', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a?c', 'a😀c', true],
    ['a\\*c', 'a*c', true],
    ['a\\*c', 'abc', false],
    ['a.c', 'abc', false],
    ['', '', true],
    ['', 'a', false],
    ['a*/b', 'a/x/y/b', true],
    ['*\n*', 'a\nb', true],
  ])('%j on %j: %j', (pattern, text, expected) => {
    expect(matchesGlob(textGlob(pattern), text)).toBe(expected);
  });
});

describe('a path pattern', () => {
  test.each<[string, string, boolean]>([
    ['/p/src/*', '/p/src/a.ts', true],
    ['/p/src/*', '/p/src/a/b.ts', false],
    ['/p/src/**', '/p/src/a/b.ts', true],
    ['/p/src/**', '/p/src', false],
    ['/p/**/a.ts', '/p/a.ts', true],
    ['/p/**/a.ts', '/p/x/y/a.ts', true],
    ['/p/**/a.ts', '/p/xa.ts', false],
    ['/p/**/a.ts', '/p/x/ya.ts', false],
    ['/p/a?.ts', '/p/a/.ts', false],
    ['/p/*.ts', '/p/.ts', true],
    ['/**', '/anything/at/all', true],
  ])('%j on %j: %j', (pattern, path, expected) => {
    expect(matchesGlob(pathGlob(pattern), path)).toBe(expected);
  });
});

test('a text used as a pattern matches only itself', () => {
  const text = fc.string({unit: 'grapheme'});
  fc.assert(
    fc.property(text, text, (one, other) => {
      for (const glob of [textGlob(literalPattern(one)), pathGlob(literalPattern(one))]) {
        expect(hasWildcard(glob)).toBe(false);
        expect(matchesGlob(glob, one)).toBe(true);
        expect(matchesGlob(glob, other)).toBe(one === other);
      }
    }),
  );
});

test('patterns agree with a regular expression', () => {
  const characters = fc.constantFrom('a', 'b', '/', '*', '?');
  const pattern = fc.array(characters, {maxLength: 8}).map((each) => each.join('').replace(/\*\*+/g, '*'));
  const text = fc.array(fc.constantFrom('a', 'b', '/'), {maxLength: 8}).map((each) => each.join(''));
  fc.assert(
    fc.property(pattern, text, (glob, path) => {
      const regexp = (star: string, one: string) =>
        new RegExp(`^${glob.replaceAll('*', star).replaceAll(/(?<![\])])\?/g, one)}$`).test(path);
      expect(matchesGlob(textGlob(glob), path)).toBe(regexp('.{0,}', '.'));
      expect(matchesGlob(pathGlob(glob), path)).toBe(regexp('[^/]{0,}', '[^/]'));
    }),
  );
});

test('a pattern full of stars is not slower for an adversarial text', () => {
  const glob = textGlob(`${'*a'.repeat(30)}*b`);
  const before = performance.now();
  expect(matchesGlob(glob, 'a'.repeat(16_000))).toBe(false);
  expect(performance.now() - before).toBeLessThan(20_000);
});

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {leavesOf, parsePath, pathText, valueAt, withValueAt} from '../../../src/settings/setting-paths.ts';

describe('the path of a setting', () => {
  test.each([
    ['theme', ['theme']],
    ['sessions.keepDays', ['sessions', 'keepDays']],
    ['agents."my.agent".model', ['agents', 'my.agent', 'model']],
    ['a."with \\"quotes\\""', ['a', 'with "quotes"']],
  ])('%s leads to %j', (text, path) => {
    expect(parsePath(text)).toEqual(path);
    expect(pathText(path)).toBe(text);
  });

  test.each(['', '.', 'a.', '.a', 'a..b', 'a b', 'a."b', 'a."b"c', '"a" '])('%j is invalid', (text) => {
    expect(parsePath(text)).toBeUndefined();
  });

  test('of any names can be written and read', () => {
    const names = fc.array(fc.string(), {minLength: 1, maxLength: 4});
    fc.assert(
      fc.property(names, (path) => {
        expect(parsePath(pathText(path))).toEqual(path);
      }),
    );
  });
});

describe('a value at a path', () => {
  test('is changed in place, and the others keep their order', () => {
    const settings = {a: 1, sessions: {save: true, keepDays: 3}, b: 2};
    const changed = withValueAt(settings, ['sessions', 'keepDays'], 30);
    expect(changed).toEqual({a: 1, sessions: {save: true, keepDays: 30}, b: 2});
    expect(Object.keys(changed as object)).toEqual(['a', 'sessions', 'b']);
  });

  test('is created with its parents, and removed with what is then empty', () => {
    const made = withValueAt({a: 1}, ['agents', 'mine', 'model'], 'large');
    expect(made).toEqual({a: 1, agents: {mine: {model: 'large'}}});
    expect(withValueAt(made, ['agents', 'mine', 'model'], undefined)).toEqual({a: 1});
  });

  test('replaces what was no object', () => {
    expect(withValueAt({a: [1]}, ['a', 'b'], 2)).toEqual({a: {b: 2}});
  });

  test('is never a built-in property, nor does it change one', () => {
    expect(valueAt({}, ['constructor', 'name'])).toBeUndefined();
    const changed = withValueAt({}, ['__proto__', 'polluted'], true);
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('is among the leaves with its path, and all leaves rebuild the whole', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue({maxDepth: 3}), {minKeys: 1});
    fc.assert(
      fc.property(json, (value) => {
        const again = leavesOf(value).reduce<unknown>(
          (whole, leaf) => withValueAt(whole, leaf.path, leaf.value),
          undefined,
        );
        expect(JSON.stringify(again)).toBe(JSON.stringify(value));
      }),
    );
  });
});

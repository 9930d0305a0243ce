import {describe, expect, test} from 'vitest';
import {patternProblems} from '../../../../src/host/elicitation/patterns.ts';
import {readLink} from '../../../../src/host/elicitation/elicit.ts';
import {newTextField} from '../../../../src/session/forms/form-schema.ts';

function isRight(pattern: string, text: string): boolean {
  return patternProblems([newTextField({id: 'it', label: 'It', pattern})], {it: text}).size === 0;
}

describe('the pattern of a field', () => {
  test.each([
    ['^[a-z_]+$', 'a_b', 'A'],
    ['b', 'abc', 'ac'],
    ['^(?=.*\\d)(?=.*[a-z]).{4,}$', 'abc1', 'abcd'],
    ['^\\p{Lu}', 'Äb', 'äb'],
    ['^.$', '😀', '😀😀'],
    // Invalid with the flag that JSON Schema requires, and valid without it.
    ['^[\\w-.]+$', 'a-b.c', 'a b'],
  ])('%s matches %s, and not %s', (pattern, right, wrong) => {
    expect(isRight(pattern, right)).toBe(true);
    expect(isRight(pattern, wrong)).toBe(false);
  });

  test('that is invalid is left to the agent', () => {
    expect(isRight('(', 'anything')).toBe(true);
  });

  test('that would never finish is stopped and left to the agent', () => {
    const started = performance.now();
    const text = `${'a'.repeat(40)}!`;
    const evil = ['a', 'b', 'c'].map((id) => newTextField({id, label: id, pattern: '^(a|a)*$'}));
    expect(patternProblems(evil, {a: text, b: text, c: text}).size).toBe(0);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('runs nothing but the expression', () => {
    isRight("'); globalThis.hacked = true; ('", 'x');
    expect(globalThis).not.toHaveProperty('hacked');
  });
});

describe('a URL', () => {
  test('is parsed as it would be opened, with its host', () => {
    expect(readLink('HTTPS://Example.COM:443/ä?q=\tb')).toEqual({
      href: 'https://example.com/%C3%A4?q=b',
      host: 'example.com',
    });
    expect(readLink('http://127.0.0.1:8080/cb')).toMatchObject({host: '127.0.0.1:8080'});
  });

  test('with letters of other scripts shows its host both ways', () => {
    expect(readLink('https://аpple.com/')).toEqual({
      href: 'https://xn--pple-43d.com/',
      host: 'xn--pple-43d.com',
      unicodeHost: 'аpple.com',
    });
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'vscode://x', 'mailto:a@b.c', 'nonsense', ''])(
    '%j cannot be opened',
    (text) => {
      expect(readLink(text)).toBeUndefined();
    },
  );
});

import {expect, test} from 'vitest';
import {withoutImports} from '../../../scripts/builtin-imports.ts';

const builtin = (name: string) => `process.getBuiltinModule("${name}")`;

test.each([
  ['a name', 'import{join as e}from"node:path";e()', `const {join:e}=${builtin('node:path')};e()`],
  ['the default', 'import e from"fs";e()', `const e=${builtin('fs')};e()`],
  ['everything', 'import*as e from"node:os";e()', `const e=${builtin('node:os')};e()`],
  ['both', 'import e,{a as b,c}from"node:os";e()', `const e=${builtin('node:os')},{a:b,c}=e;e()`],
  ['the default and everything', 'import e,*as n from"zlib";e()', `const e=${builtin('zlib')},n=e;e()`],
])('of a module of Node, %s is imported without an import', (_what, code, expected) => {
  expect(withoutImports(code)).toBe(expected);
});

test('imports of other chunks stay, in their order, and come first', () => {
  const code = 'import{a}from"./a.js";import{b}from"node:fs";import"./c.js";a(b);';

  expect(withoutImports(code)).toBe(
    `import{a}from"./a.js";import"./c.js";const {b}=${builtin('node:fs')};a(b);`,
  );
});

test('text that looks like an import is left alone', () => {
  const code = 'const a=1;const b=`import{x}from"node:fs";`;';

  expect(withoutImports(code)).toBe(code);
});

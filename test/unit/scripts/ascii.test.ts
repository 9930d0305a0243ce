import {runInThisContext} from 'node:vm';
import {expect, test} from 'vitest';
import {escapeNonAscii} from '../../../scripts/ascii.ts';

test.each([
  ['a string', '"ä – 🎉"'],
  ['a template', '`ä ${"–"} 🎉`'],
  ['a regular expression', '"–x🎉".replace(/–|[🎉]/gu, "+")'],
  ['a string after an escaped backslash', String.raw`"\\ä"`],
  ['a name', '(() => { const größe = 1; return größe; })()'],
])('%s in ASCII has the same value', (_what, code) => {
  const escaped = escapeNonAscii(code);

  expect(escaped).toMatch(/^[\0-\x7f]+$/);
  expect(runInThisContext(escaped)).toEqual(runInThisContext(code));
});

test.each([
  ['String.raw', 'String.raw`a–`'],
  ['a character after a backslash', String.raw`/\–/`],
])('%s is refused', (_what, code) => {
  expect(() => escapeNonAscii(code)).toThrow('as an escape');
});

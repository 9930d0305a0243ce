import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {droppedPaths} from '../../../../src/app/editor/attachments.ts';

test.each([
  ['a plain path', '/tmp/a.png', ['/tmp/a.png']],
  ['a path and the space that macOS adds', '/tmp/a.png ', ['/tmp/a.png']],
  ['escaped blanks', String.raw`/tmp/my\ file\ \(1\).png`, ['/tmp/my file (1).png']],
  ['single quotes', "'/tmp/my file.png'", ['/tmp/my file.png']],
  ['a quote within quotes', String.raw`'/tmp/it'\''s.png'`, ["/tmp/it's.png"]],
  ['double quotes', String.raw`"/tmp/a \"b\".png"`, ['/tmp/a "b".png']],
  ['a URL', 'file:///tmp/my%20file.png', ['/tmp/my file.png']],
  [
    'several',
    String.raw`/tmp/a.png '/tmp/b c.png' /tmp/d\ e.png`,
    ['/tmp/a.png', '/tmp/b c.png', '/tmp/d e.png'],
  ],
  ['several lines', 'file:///tmp/a\r\nfile:///tmp/b\r\n', ['/tmp/a', '/tmp/b']],
  ['spaces that are neither quoted nor escaped', '/tmp/my file.png', ['/tmp/my file.png']],
  ['the home folder', '~/a.png', ['~/a.png']],
  ['a Windows path', String.raw`C:\Users\me\a b.png`, [String.raw`C:\Users\me\a b.png`]],
  ['a name with an unpaired quote', "/tmp/it's.png", ["/tmp/it's.png"]],
])('%s', (_what, pasted, paths) => {
  expect(droppedPaths(pasted)).toEqual(paths);
});

test.each([
  '',
  ' ',
  'src/a.ts',
  'see /tmp/a.png',
  'https://example.org/a.png',
  'file://host/a',
  '/',
  'a\n/tmp/b',
])('"%s" is text', (pasted) => {
  expect(droppedPaths(pasted)).toBeUndefined();
});

test('any name survives shell quoting', () => {
  const name = fc.string({unit: 'grapheme', minLength: 1}).filter((text) => !/[\r\n]/.test(text));
  fc.assert(
    fc.property(fc.array(name, {minLength: 1, maxLength: 4}), (parts) => {
      const paths = parts.map((part) => `/tmp/${part}`);
      const quoted = paths.map((path) => `'${path.replaceAll("'", String.raw`'\''`)}'`).join(' ');
      expect(droppedPaths(quoted)).toEqual(paths);
    }),
  );
});

import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {droppedPaths} from '../../../../src/app/editor/dropped-paths.ts';

test.each([
  ['a plain path', '/tmp/a.png', ['/tmp/a.png']],
  ['a path and the space that macOS adds', '/tmp/a.png ', ['/tmp/a.png']],
  ['escaped blanks', String.raw`/tmp/my\ file\ \(1\).png`, ['/tmp/my file (1).png']],
  ['single quotes', "'/tmp/my file.png'", ['/tmp/my file.png']],
  ['a quote within quotes', String.raw`'/tmp/it'\''s.png'`, ["/tmp/it's.png"]],
  ['double quotes', String.raw`"/tmp/a \"b\".png"`, ['/tmp/a "b".png']],
  ['a quote that is not escaped between double quotes', '"/tmp/5" disk.png"', ['/tmp/5" disk.png']],
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
  [
    'several Windows paths',
    String.raw`"C:\a b\$x.png" C:\c.png`,
    [String.raw`C:\a b\$x.png`, String.raw`C:\c.png`],
  ],
  ['a name with an unpaired quote', "/tmp/it's.png", ["/tmp/it's.png"]],
  ['a narrow no-break space', '/tmp/9.41.00\u202fAM.png', ['/tmp/9.41.00\u202fAM.png']],
  ['a URL with one slash', 'file:/tmp/a%E3%80%80b.png', ['/tmp/a\u3000b.png']],
  ['a URL of this computer', 'file://localhost/tmp/a', ['/tmp/a']],
  ['a URL with a percent sign of its own', 'file:///tmp/100%.png', ['/tmp/100%.png']],
])('%s', (_what, pasted, paths) => {
  expect(droppedPaths(pasted)[0]).toEqual(paths);
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
  expect(droppedPaths(pasted)).toEqual([]);
});

test('any name survives shell quoting', () => {
  const name = fc.string({unit: 'grapheme', minLength: 1}).filter((text) => !/[\r\n]/.test(text));
  fc.assert(
    fc.property(fc.array(name, {minLength: 1, maxLength: 4}), (parts) => {
      const paths = parts.map((part) => `/tmp/${part}`);
      const quoted = paths.map((path) => `'${path.replaceAll("'", String.raw`'\''`)}'`).join(' ');
      expect(droppedPaths(quoted)[0]).toEqual(paths);
    }),
  );
});

/** How terminals write the paths of dropped files. */
const TERMINALS: Readonly<Record<string, (paths: readonly string[]) => string>> = {
  'iTerm2, Terminal.app, Ghostty': (paths) => paths.map((path) => `${escaped(path)} `).join(''),
  'GNOME Terminal, Konsole, foot': (paths) => `${paths.map(quoted).join(' ')} `,
  'kitty at a prompt': (paths) =>
    paths.map((path) => (/[^\w/.-]/.test(path) ? quoted(path) : path)).join(' '),
  'kitty in a program': (paths) => paths.join('\n'),
  'Windows Terminal': (paths) => paths.map((path) => `"${path}"`).join(' '),
  'Windows Terminal with WSL': (paths) => paths.map(quoted).join(' '),
  'WezTerm, which escapes only spaces': (paths) => paths.map((path) => path.replaceAll(' ', '\\ ')).join(' '),
  'Alacritty, which escapes nothing': (paths) => paths.map((path) => `${path} `).join(''),
  'a list of URLs': (paths) => paths.map((path) => `file://${encodeURI(path)}\r\n`).join(''),
};
const escaped = (path: string) => path.replaceAll(/[ ()'"&$!\\[\]#;*?<>|`]/g, String.raw`\$&`);
const quoted = (path: string) => `'${path.replaceAll("'", String.raw`'\''`)}'`;

const NAMES = [
  'Screenshot 2026-11-29 at 9.41.00\u202fAM.png',
  'a\u00a0b.png',
  '全角\u3000空白\u3000',
  "it's (1) a 'b' & [c].png",
  'plain.png',
  'père noël 100%.txt',
];

test.each(Object.entries(TERMINALS))(
  '%s: any name can be read, alone and beside others',
  (_terminal, write) => {
    const paths = NAMES.map((name) => `/tmp/my files/${name}`);
    for (const path of paths) expect(droppedPaths(write([path]))).toContainEqual([path]);
    expect(droppedPaths(write(paths))).toContainEqual(paths);
  },
);

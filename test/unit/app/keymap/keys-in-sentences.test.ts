import {globSync, readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {withKey} from '../../../../src/app/keymap/hints.ts';
import {defaultKeymap, withBindings} from '../../../../src/app/keymap/keymap.ts';

const ROOT = new URL('../../../../', import.meta.url).pathname;

/** A name of a key, and a letter or an arrow that does something: `u undoes that`. */
const KEY =
  /\b(?:Ctrl|Alt|Shift)\+\S|\b(?:Esc|Enter|Tab|Backspace|PgUp|PgDn)\b|(?:^|[;:.,·] |\bpress )[b-z?] [a-z]+s\b|[←→↑↓] (?:[a-z]+s|on)\b/;

const COMMENT = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** Keys that nobody can change, or that are named for themselves. */
const ALLOWED: readonly (readonly [file: RegExp, text: RegExp])[] = [
  // The name of each key.
  [/^src\/app\/keymap\/key-names\.ts$/, /^'(?:Esc|PgUp|PgDn)'$/],
  // The terminal sends a signal: no window is there.
  [/^src\/modes\/(?:print|commands)\//, /press Ctrl\+C again to quit now/],
  // The number of files is not known.
  [/^src\/app\/commands\/compare-command\.ts$/, /^'\? files'$/],
  // An agent does not know the keys of its client, nor does a program in a terminal.
  [/^src\/demo\//, /./],
];

function namedKeys(source: string): readonly string[] {
  return (source.replace(COMMENT, '').match(TEXT) ?? []).filter((text) => KEY.test(text.slice(1, -1)));
}

test('a sentence takes the name of a key from the keymap', () => {
  const named = globSync('{src,components}/**/*.{ts,tsx}', {cwd: ROOT}).flatMap((file) =>
    namedKeys(readFileSync(ROOT + file, 'utf8'))
      .filter((text) => !ALLOWED.some(([where, what]) => where.test(file) && what.test(text)))
      .map((text) => `${file}: ${text}`),
  );
  expect(named).toEqual([]);
});

test.each([
  "'A turn is running; Esc cancels it.'",
  "'Already accepted; u undoes that.'",
  "'No comments yet: c comments on a line.'",
  '`${reason} ↑ on an empty prompt brings it back.`',
  "'→ lists what can be done with a session'",
  '"Ctrl+X b"',
])('%s names one', (text) => {
  expect(namedKeys(`// Esc\nsay(${text});`)).toEqual([text]);
});

test('a sentence names the key that an action has now, or none', () => {
  const accepted = (keys: readonly string[]) =>
    withKey(
      'Accepted',
      'undo_review',
      'undoes that',
      withBindings(defaultKeymap, {review: {undo_review: keys}}),
    );
  expect([accepted(['u']), accepted(['alt+u', 'z']), accepted([])]).toEqual([
    'Accepted; u undoes that.',
    'Accepted; Alt+U undoes that.',
    'Accepted.',
  ]);
});

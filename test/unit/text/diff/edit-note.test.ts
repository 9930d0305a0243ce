import {expect, test} from 'vitest';
import {editNote} from '../../../../src/text/diff/edit-note.ts';

const lines = (count: number) => Array.from({length: count}, (_, index) => `line ${index}\n`).join('');

test('the agent gets the difference between its proposal and what the user made of it', () => {
  const before = lines(20);
  const note = editNote({
    path: 'src/a.ts',
    before,
    after: before.replace('line 9\n', 'mine\n'),
    state: 'done',
  });
  expect(note).toMatch(/^I changed what you proposed for src\/a\.ts before it was written\./);
  expect(note).toContain('\n```diff\n--- proposed\n+++ changed\n@@ -7,7 +7,7 @@\n line 6\n');
  expect(note).toContain('\n-line 9\n+mine\n');
  expect(note).not.toContain('line 2\n');
  expect(note.endsWith('\n```')).toBe(true);
});

test('if the agent wanted to write by itself, it is told that it is done', () => {
  const note = editNote({path: 'a.md', before: 'a\n', after: '```\nb\n```\n', state: 'instead'});
  expect(note).toMatch(/^I rejected your change of a\.md, and wrote the file as I want it\./);
  expect(note).toContain('\n````diff\n');
});

test('a comparison that takes too long is given up: the content says all', () => {
  const text = (seed: number) =>
    Array.from({length: 40_000}, (_, index) => `${(index * seed) % 99_991}\n`).join('');
  const [before, after] = [text(7919), text(104_729)];
  expect(editNote({path: 'a', before, after, state: 'done'})).toMatch(/Read the file\.$/);
  expect(editNote({path: 'a', before, after, state: 'gone'})).toContain('It has this content:');
});

test.each([
  ['done', 'before it was started. This is what ran:\n\n```sh\nls -l\n```'],
  ['gone', 'which did not run. Run this:\n\n```sh\nls -l\n```'],
] as const)('of a command that is %s says what ran, or is to run', (state, said) => {
  expect(editNote({path: undefined, before: 'ls', after: 'ls -l', state})).toContain(said);
});

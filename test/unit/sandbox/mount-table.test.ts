import {describe, expect, test} from 'vitest';
import {mountProblem, parseMounts, type Mount} from '../../../src/sandbox/mount-table.ts';

const ROOT = '1 0 8:1 / / rw shared:1 - ext4 /dev/a rw';
const parsed = (...lines: readonly string[]): readonly Mount[] => parseMounts(`${lines.join('\n')}\n`);

describe('a line of mountinfo', () => {
  test.each([
    ['a space, a tab, a newline and a backslash', String.raw`/a\040b\011c\012d\134040`, '/a b\tc\nd\\040'],
    ['letters that are no ASCII', '/ä/日本', '/ä/日本'],
    ['letters that are octal', String.raw`/\303\244`, '/ä'],
    ['characters that nobody sees', '/a\u200bb\u202e', '/a\u200bb\u202e'],
    ['a hyphen between spaces', String.raw`/a\040-\040b`, '/a - b'],
  ])('has %s in its path', (_what, written, path) => {
    expect(parsed(`2 1 8:1 ${written} ${written} rw - ext4 /dev/a rw`)).toMatchObject([{source: path, path}]);
  });

  test.each(['', 'shared:1 ', 'shared:12 master:3 ', 'master:3 propagate_from:2 ', 'unbindable '])(
    'has any number of fields about propagation: "%s"',
    (fields) => {
      const line = `2 1 8:1 /x /y ro,nosuid ${fields}- tmpfs none rw`;
      expect(parsed(line)).toEqual([
        {id: '2', parent: '1', device: '8:1', source: '/x', path: '/y', isWritable: false, type: 'tmpfs'},
      ]);
    },
  );
});

describe('what is mounted', () => {
  const outside = parsed(ROOT);
  const planned = [
    {path: '/', from: '/', isWritable: false},
    {path: '/work', from: '/work', isWritable: true},
  ];
  const root = '10 9 8:1 / / ro - ext4 /dev/a rw';
  const work = '11 10 8:1 /work /work rw - ext4 /dev/a rw';

  test('is what was planned', () => {
    expect(mountProblem(planned, parsed(root, work), outside)).toBeUndefined();
  });

  test.each([
    ['another folder', '11 10 8:1 /home /work rw - ext4 /dev/a rw', '/work was replaced'],
    ['other rights', '11 10 8:1 /work /work ro - ext4 /dev/a rw', '/work is mounted with other rights'],
    ['another disk', '11 10 8:2 /work /work rw - ext4 /dev/b rw', '/work was replaced'],
  ])('differs by %s', (_what, line, problem) => {
    expect(mountProblem(planned, parsed(root, line), outside)).toContain(problem);
  });

  test('counts where it covers another mount, not where it is covered', () => {
    const stacked = '12 11 8:1 /home /work rw - ext4 /dev/a rw';
    expect(mountProblem(planned, parsed(root, work, stacked), outside)).toContain('/work was replaced');
    const below = '11 10 8:1 /home /work rw - ext4 /dev/a rw';
    const above = '12 11 8:1 /work /work rw - ext4 /dev/a rw';
    expect(mountProblem(planned, parsed(root, below, above), outside)).toBeUndefined();
    const inCovered = '13 11 8:1 /etc /work/etc rw - ext4 /dev/a rw';
    expect(mountProblem(planned, parsed(root, below, above, inCovered), outside)).toBeUndefined();
  });

  test('has nothing that can be written without having been planned', () => {
    const disk = '12 10 8:3 / /disk rw - ext4 /dev/c rw';
    const there = parsed(ROOT, '2 1 8:3 / /disk rw shared:2 - ext4 /dev/c rw');
    expect(mountProblem(planned, parsed(root, work, disk), there)).toContain('/disk was mounted without');
    expect(mountProblem(planned, parsed(root, work, disk.replace(' rw ', ' ro ')), there)).toBeUndefined();
  });
});

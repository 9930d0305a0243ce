import {randomBytes} from 'node:crypto';
import {statSync} from 'node:fs';
import {basename, join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {describe, expect, test} from 'vitest';
import {tar, tarGz, zip, type TarEntry} from '../../../support/servers/archives.ts';
import type {UnpackLimits} from '../../../../src/agents/install/unpack/archive-entry.ts';
import {zerosInBzip2} from './bzip2.ts';
import {createSandbox, outside, unpackBytes, type Sandbox} from './unpacking.ts';

const MIB = 1024 * 1024;

/** Small enough for a bomb of a few MiB. */
const limits = {entries: 3, bytes: 64 * MIB, ratio: 50, ratioFrom: MIB};

async function problemOf(
  bytes: Uint8Array,
  {sandbox = createSandbox(), ...options}: Partial<{sandbox: Sandbox; limits: UnpackLimits}> = {},
): Promise<string> {
  const result = await unpackBytes(bytes, sandbox, options);
  expect(outside(sandbox)).toEqual(['archive', 'deep']);
  if (result.ok || result.failure.kind !== 'bad_archive') {
    throw new Error(`not refused: ${JSON.stringify(result)}`);
  }
  return result.failure.problem;
}

describe('a path that', () => {
  test.each([
    ['is outside the target folder', '../../outside', 'is outside the target folder'],
    ['leads outside from within', 'a/../../outside', 'is outside the target folder'],
    ['leads out and back in', 'a/../b', 'is outside the target folder'],
    ['is absolute', '/tmp/acp-tui-outside', 'absolute path'],
    ['is absolute on Windows', 'C:outside', 'absolute path'],
    ['has backslashes', '..\\..\\outside', 'backslash'],
    ['has control characters', 'a\x1b]0;title\x07', 'invisible characters'],
    ['has a line break', 'a\nb', 'invisible characters'],
    ['reverses the writing direction', 'exe.\u202etxt', 'invisible characters'],
    ['is a Windows device name', 'lib/AUX.js', 'Windows reserves'],
    ['ends with a dot', 'lib/x.', 'ends with a dot'],
    ['has a name that is too long', 'x'.repeat(300), 'name that is too long'],
    ['is the folder itself', '.', 'has no name'],
    ['is too long', `${'folder/'.repeat(200)}x`, 'path that is too long'],
  ])('%s is rejected', async (_, path, problem) => {
    expect(await problemOf(tarGz([{path, content: 'x'}]))).toContain(problem);
  });

  test.each(['../../outside', '/tmp/acp-tui-outside', '..\\outside', 'a\x1b[2J'])(
    '%j is rejected in a zip, too',
    async (path) => {
      expect(await problemOf(zip([{path, content: 'x'}]))).toMatch(
        /relative path|absolute path|invalid char|invisible characters/,
      );
    },
  );
});

describe('two entries', () => {
  test.each([
    ['of the same path', ['a/b', 'a/./b'], 'appears twice'],
    ['that differ only in case', ['a/Agent', 'a/agent'], 'the same path as "a/Agent"'],
    ['in folders that differ only in case', ['Lib/a', 'lib/b'], 'the same path as "Lib"'],
    ['with different Unicode normalization', ['gr\u00fcn', 'gru\u0308n'], 'the same path as'],
    ['one of which is inside the other', ['a', 'a/b'], 'through something that is not a folder'],
  ])('%s are rejected', async (_, paths, problem) => {
    expect(await problemOf(tar(paths.map((path) => ({path, content: 'x'}))))).toContain(problem);
  });
});

describe('a link', () => {
  test.each([
    ['to an absolute path', [{path: 'a', type: '2', target: '/etc/passwd'}], 'outside the target folder'],
    ['that leads outside', [{path: 'a/b', type: '2', target: '../../outside'}], 'outside the target folder'],
    ['to nothing', [{path: 'a', type: '2', target: 'b'}], 'links to nothing ("b")'],
    ['to itself', [{path: 'a', type: '2', target: 'a'}], 'links to nothing'],
    [
      'that a file is written through',
      [
        {path: 'a', type: '2', target: '.'},
        {path: 'a/b', content: 'x'},
      ],
      'through something that is not a folder',
    ],
    [
      'in place of a folder with files',
      [
        {path: 'a/b', content: 'x'},
        {path: 'a', type: '2', target: 'c'},
      ],
      'appears twice',
    ],
    [
      'over another link that ends outside, although its text does not',
      [
        {path: 'a/b/', type: '5'},
        {path: 'a/up', type: '2', target: '..'},
        {path: 'a/b/out', type: '2', target: '../up/../..'},
      ],
      'outside the target folder',
    ],
    [
      'hard, to a file outside',
      [{path: 'a', type: '1', target: '../../archive'}],
      'outside the target folder',
    ],
    [
      'hard, to a file missing in the archive',
      [{path: 'a', type: '1', target: 'b'}],
      'not a file of the archive',
    ],
    [
      'hard, to a link',
      [
        {path: 'a', type: '2', target: '.'},
        {path: 'b', type: '1', target: 'a'},
      ],
      'not a file of the archive',
    ],
  ] satisfies [string, TarEntry[], string][])('%s is rejected', async (_, entries, problem) => {
    expect(await problemOf(tarGz(entries))).toContain(problem);
  });

  test.each([
    ['by its absolute path', ({target}: Sandbox) => join(target, 'b')],
    ['through the outside', ({target}: Sandbox) => `../${basename(target)}/b`],
  ])(
    'to a member of the archive (%s) is rejected: it breaks when the folder is moved',
    async (_, targetIn) => {
      const sandbox = createSandbox();
      const link = {path: 'a', type: '2', target: targetIn(sandbox)};
      expect(await problemOf(tarGz([{path: 'b', content: 'x'}, link]), {sandbox})).toContain(
        'outside the target folder',
      );
    },
  );

  test('in a zip that leads outside is rejected', async () => {
    expect(await problemOf(zip([{path: 'a', content: '../../outside', mode: 0o120777}]))).toContain(
      'outside the target folder',
    );
  });

  test('in a zip that holds megabytes instead of a path is rejected', async () => {
    expect(await problemOf(zip([{path: 'a', content: 'x'.repeat(MIB), mode: 0o120777}]))).toContain(
      'is a link that is too long',
    );
  });
});

test.each([
  ['a device', '3'],
  ['a block device', '4'],
  ['a pipe', '6'],
])('%s is rejected', async (_, type) => {
  expect(await problemOf(tar([{path: 'a', type}]))).toContain('not a file, folder or link');
});

test('a pipe in a zip is rejected', async () => {
  expect(await problemOf(zip([{path: 'a', mode: 0o010644}]))).toContain('not a file, folder or link');
});

test.each([
  ['tar', tar([{path: 'a', content: 'x', mode: 0o6777}])],
  ['zip', zip([{path: 'a', content: 'x', mode: 0o106777}])],
])('setuid and setgid bits are dropped from a %s', async (_, bytes) => {
  const sandbox = createSandbox();
  expect(await unpackBytes(bytes, sandbox)).toMatchObject({ok: true});
  expect(statSync(join(sandbox.target, 'a')).mode & 0o7022).toBe(0);
});

describe('an archive bomb', () => {
  const zeros = Buffer.alloc(5 * MIB);
  const zerosInTar = tar([{path: 'a', content: zeros}]);

  test('in gzip is stopped before much of it is unpacked', async () => {
    const sandbox = createSandbox();
    expect(await problemOf(gzipSync(zerosInTar), {sandbox, limits})).toBe(
      'it is larger than 1 MiB when unpacked',
    );
    expect(statSync(join(sandbox.target, 'a')).size).toBeLessThanOrEqual(MIB);
  });

  test('after the end of a tar, where no entry is, is stopped, too', async () => {
    const bytes = gzipSync(Buffer.concat([tar([{path: 'a', content: 'x'}]), zeros]));
    expect(await problemOf(bytes, {limits})).toBe('it is larger than 1 MiB when unpacked');
  });

  test('in bzip2 is stopped, too', async () => {
    expect(await problemOf(zerosInBzip2, {limits})).toBe('it is larger than 1 MiB when unpacked');
  });

  test('in zip is stopped, too', async () => {
    expect(await problemOf(zip([{path: 'a', content: zeros}]), {limits})).toBe(
      'it is larger than 1 MiB when unpacked',
    );
  });

  test('in zip is stopped, too, when it hides in a folder entry', async () => {
    expect(await problemOf(zip([{path: 'a/', content: zeros}]), {limits})).toBe(
      'it is larger than 1 MiB when unpacked',
    );
  });

  test('in zip that understates its size is stopped at that size', async () => {
    expect(await problemOf(zip([{path: 'a', content: zeros, size: 10}]))).toContain('corrupt');
  });

  test('of entries is stopped at their limit', async () => {
    const bytes = tarGz(['a', 'b', 'c', 'd'].map((path) => ({path})));
    expect(await problemOf(bytes, {limits})).toBe('it has more than 3 entries');
  });

  test('is not confused with large content that does not compress', async () => {
    const bytes = tarGz([{path: 'a', content: randomBytes(3 * MIB)}]);
    expect(await unpackBytes(bytes, createSandbox(), {limits})).toEqual({ok: true, value: undefined});
  });
});

describe('a damaged archive is rejected:', () => {
  const whole = tarGz([{path: 'a', content: 'x'.repeat(5000)}]);
  test.each([
    ['half a gzip', whole.subarray(0, whole.length / 2)],
    ['half a tar', tar([{path: 'a', content: 'x'.repeat(5000)}]).subarray(0, 2000)],
    ['a wrong size', tar([{path: 'a', content: 'x', size: 4000}])],
    ['gzip without a tar', gzipSync('hello'.repeat(1000))],
    ['half a zip', zip([{path: 'a', content: 'x'}]).subarray(0, 40)],
    ['bzip2 of random bytes', Buffer.from(`BZh9${'noise'.repeat(100)}`)],
  ])('%s', async (_, bytes) => {
    expect(await problemOf(bytes)).toContain('corrupt');
  });
});

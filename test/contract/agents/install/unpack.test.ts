import {lstatSync, readFileSync, readlinkSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {tar, tarGz, zip} from '../../../support/servers/archives.ts';
import {twoBlocks, twoBlocksText} from './bzip2.ts';
import {createSandbox, unpackBytes} from './unpacking.ts';

const long = `${'folder/'.repeat(20)}${'name'.repeat(10)}`;
const DONE = {ok: true, value: undefined};

describe.each([
  ['a tar', tar],
  ['a tar.gz', tarGz],
])('%s', (_, pack) => {
  test('unpacks folders, files with contents, long names and executables', async () => {
    const sandbox = createSandbox();
    const large = Buffer.alloc(300_000, 'large');
    const bytes = pack([
      {path: './', type: '5'},
      {path: 'bin/', type: '5'},
      {path: 'bin/agent', content: '#!/bin/sh\n', mode: 0o700},
      {path: './empty'},
      {path: 'large', content: large},
      {path: long, content: 'long'},
    ]);
    expect(await unpackBytes(bytes, sandbox)).toEqual(DONE);
    const at = (path: string) => join(sandbox.target, path);
    expect(readFileSync(at('bin/agent'), 'utf8')).toBe('#!/bin/sh\n');
    expect(statSync(at('bin/agent')).mode & 0o111).toBe(0o111);
    expect(statSync(at('empty'))).toMatchObject({size: 0});
    expect(statSync(at('empty')).mode & 0o111).toBe(0);
    expect(readFileSync(at('large')).equals(large)).toBe(true);
    expect(readFileSync(at(long), 'utf8')).toBe('long');
  });
});

test('a tar keeps links to its members, even when the link comes first', async () => {
  const sandbox = createSandbox();
  const bytes = tarGz([
    {path: 'bin/agent', type: '2', target: '../lib/agent.js'},
    {path: 'lib/agent.js', content: 'code', mode: 0o755},
    {path: 'lib/same.js', type: '1', target: 'lib/agent.js'},
  ]);
  expect(await unpackBytes(bytes, sandbox)).toEqual(DONE);
  expect(readlinkSync(join(sandbox.target, 'bin/agent'))).toBe('../lib/agent.js');
  expect(readFileSync(join(sandbox.target, 'bin/agent'), 'utf8')).toBe('code');
  expect(readFileSync(join(sandbox.target, 'lib/same.js'), 'utf8')).toBe('code');
});

test('a zip is unpacked with links and executables', async () => {
  const sandbox = createSandbox();
  const large = Buffer.alloc(300_000, 'large');
  const bytes = zip([
    {path: 'package/'},
    {path: 'package/agent', content: 'code', mode: 0o100755},
    {path: 'package/grün', content: large},
    {path: 'agent', content: 'package/agent', mode: 0o120777},
    {path: 'empty'},
  ]);
  expect(await unpackBytes(bytes, sandbox)).toEqual(DONE);
  const at = (path: string) => join(sandbox.target, path);
  expect(lstatSync(at('agent')).isSymbolicLink()).toBe(true);
  expect(readFileSync(at('agent'), 'utf8')).toBe('code');
  expect(statSync(at('package/agent')).mode & 0o111).toBe(0o111);
  expect(readFileSync(at('package/grün')).equals(large)).toBe(true);
});

test('a tar.bz2 is unpacked', async () => {
  const sandbox = createSandbox();
  expect(await unpackBytes(twoBlocks, sandbox)).toEqual(DONE);
  expect(readFileSync(join(sandbox.target, 'a/agent'), 'utf8')).toBe(twoBlocksText);
});

describe('a file that is no archive', () => {
  test('is the program itself where that is allowed', async () => {
    const sandbox = createSandbox();
    expect(await unpackBytes(Buffer.from('\x7fELF'), sandbox, {program: './agent'})).toEqual(DONE);
    expect(readFileSync(join(sandbox.target, 'agent'), 'utf8')).toBe('\x7fELF');
  });

  test.each([
    ['<!doctype html>', 'It is not an archive.'],
    ['\xfd7zXZ\0', 'It uses an unsupported compression (xz).'],
    ['', 'It is not an archive.'],
  ])('%j is rejected where an archive is required', async (text, why) => {
    const result = await unpackBytes(Buffer.from(text, 'latin1'), createSandbox());
    expect(result).toMatchObject({
      failure: {kind: 'bad_archive', problem: why.slice(0, -1).replace('It', 'it')},
    });
  });
});

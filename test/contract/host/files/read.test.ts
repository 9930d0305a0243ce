import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {symlink, truncate, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {describe, expect, test} from 'vitest';
import {createFileSystem} from '../../../../src/host/files/file-system.ts';
import {READ_LIMIT} from '../../../../src/host/files/read-file.ts';
import {createRoots} from '../../../../src/host/files/roots.ts';
import {readIn, type Part} from '../files.ts';
import {useSandbox} from '../sandbox.ts';

const sandbox = useSandbox();
const at = (name: string) => `${sandbox.root}/${name}`;
const read = (name: string, part?: Part) => readIn(sandbox.root, at(name), part);
const fileSystem = () => createFileSystem({roots: createRoots(sandbox.root, [])});

describe('reading', () => {
  test('returns a file unchanged, with its BOM and its line ends', async () => {
    const content = '\uFEFFone\r\ntwo\nthré\r\n';
    await writeFile(at('a.txt'), content);
    expect(await read('a.txt')).toBe(content);
    expect(await read('a.txt', {line: null, limit: null})).toBe(content);
  });

  test('returns the requested lines, counted from 1, and nothing past the end', async () => {
    await writeFile(at('a.txt'), 'one\r\ntwo\nthree\nfour');
    expect(await read('a.txt', {line: 1, limit: 1})).toBe('one\r\n');
    expect(await read('a.txt', {line: 2, limit: 2})).toBe('two\nthree\n');
    expect(await read('a.txt', {line: 3})).toBe('three\nfour');
    expect(await read('a.txt', {limit: 9})).toBe('one\r\ntwo\nthree\nfour');
    expect(await read('a.txt', {line: 5})).toBe('');
    expect(await read('a.txt', {line: 1e9, limit: 1e9})).toBe('');
  });

  test('finds lines and characters across chunks', async () => {
    const line = `${'é'.repeat(99_999)}\n`;
    await writeFile(at('big.txt'), line.repeat(20));
    expect(await read('big.txt')).toBe(line.repeat(20));
    expect(await read('big.txt', {line: 7, limit: 3})).toBe(line.repeat(3));
  });

  test('rejects a line or a limit that is not at least 1', async () => {
    await writeFile(at('a.txt'), 'one\n');
    for (const part of [{line: 0}, {limit: 0}, {line: -1}, {limit: -1}, {line: 1.5}])
      expect(await read('a.txt', part)).toBe(-32602);
  });

  test('answers -32002 for a missing file', async () => {
    await symlink('nowhere', at('dangling'));
    expect(await read('none.txt')).toBe(-32002);
    expect(await read('no/such/folder.txt')).toBe(-32002);
    expect(await read('dangling')).toBe(-32002);
  });

  test('rejects what is not text', async () => {
    await writeFile(at('nul'), 'a\0b');
    await writeFile(at('latin1'), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    expect(await read('nul')).toBe(-32602);
    expect(await read('latin1')).toBe(-32602);
  });

  test('rejects folders, FIFOs, sockets and devices at once', async () => {
    execFileSync('mkfifo', [at('fifo')]);
    const server = createServer().listen(at('socket'));
    await once(server, 'listening');
    for (const name of ['', '/', 'fifo', 'socket']) expect(await read(name)).toBe(-32602);
    server.close();
    const dev = createFileSystem({roots: createRoots('/dev', [])});
    expect(await dev.read({sessionId: 's', path: '/dev/zero'})).toMatchObject({
      code: -32602,
      message: expect.stringContaining('a device'),
    });
  });

  test('rejects a path through a file', async () => {
    await writeFile(at('a.txt'), '');
    expect(await read('a.txt/b')).toBe(-32602);
  });

  test('rejects a file that is too large, with a message, and serves parts of it', async () => {
    await writeFile(at('huge'), 'first\nsecond\n');
    await writeFile(at('huge'), Buffer.alloc(READ_LIMIT, 'x'), {flag: 'a'});
    const answer = await fileSystem().read({sessionId: 's', path: at('huge')});
    expect(answer).toMatchObject({code: -32602, message: expect.stringContaining('line and limit')});
    expect(await read('huge', {line: 2, limit: 1})).toBe('second\n');
    expect(await read('huge', {line: 3})).toHaveLength(READ_LIMIT);
    expect(await read('huge', {line: 2})).toBe(-32602);
  });

  test('stops when the request is cancelled', async () => {
    await writeFile(at('huge'), '');
    await truncate(at('huge'), 2 ** 40);
    const request = {sessionId: 's', path: at('huge'), line: 2};
    const answer = await fileSystem().read(request, AbortSignal.abort());
    expect(answer).toMatchObject({ok: false, code: -32800});
  });
});

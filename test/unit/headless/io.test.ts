import {Readable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {inputKind, readAll} from '../../../src/headless/io.ts';

type StatLike = NonNullable<Parameters<typeof inputKind>[0]>;

function stat(kind: 'fifo' | 'socket' | 'file' | 'device', size = 0): StatLike {
  return {
    isFIFO: () => kind === 'fifo',
    isSocket: () => kind === 'socket',
    isFile: () => kind === 'file',
    size,
  };
}

describe('unread standard input', () => {
  test.each([
    ['a pipe is left alone and counts as full', stat('fifo'), 'shared'],
    ['a file with content is left alone', stat('file', 12), 'shared'],
    ['an empty file is nothing', stat('file', 0), 'none'],
    ['a socket may be read ahead', stat('socket'), 'own'],
    ['/dev/null or a terminal is nothing', stat('device'), 'none'],
    ['a closed one is nothing', undefined, 'none'],
  ])('%s', (_name, found, expected) => {
    expect(inputKind(found)).toBe(expected);
  });
});

describe('standard input as a prompt', () => {
  test('keeps characters that are split in two', async () => {
    const bytes = Buffer.from('naïve 🙂');
    const chunks = [...bytes].map((byte) => Buffer.from([byte]));
    expect(await readAll(Readable.from(chunks))).toEqual({ok: true, value: 'naïve 🙂'});
  });

  test('loses its byte order mark', async () => {
    expect(await readAll(Readable.from([Buffer.from('\ufeffhello')]))).toEqual({ok: true, value: 'hello'});
  });

  test('that no agent would accept is rejected before it fills the memory', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read++;
        yield Buffer.alloc(1024 * 1024);
      }
    }
    expect(await readAll(endless())).toMatchObject({
      failure: {kind: 'file', problem: 'has more than 24 MiB'},
    });
    expect(read).toBeLessThan(40);
  });

  test('that breaks is a failure', async () => {
    const broken = new Readable({read: () => {}});
    broken.destroy(new Error('EIO'));
    expect(await readAll(broken)).toMatchObject({ok: false, failure: {kind: 'file', path: 'standard input'}});
  });
});

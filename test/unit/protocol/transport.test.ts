import * as fc from 'fast-check';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {linesOf} from '../../../src/protocol/transport.ts';

const utf8 = new TextEncoder();

/** The lines from bytes split into chunks, and the error that ended them. */
async function split(
  chunks: readonly Uint8Array[],
  maxBytes = 1000,
): Promise<{lines: string[]; error?: unknown}> {
  const lines: string[] = [];
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  try {
    for await (const batch of linesOf(source, maxBytes)) lines.push(...batch);
    return {lines};
  } catch (error) {
    return {lines, error};
  }
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test('lines are joined, however the bytes are split', async () => {
  const line = fc.string({unit: 'binary'}).map((text) => text.replaceAll(/[\r\n\uFEFF]/g, ''));
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.array(fc.nat()), async (lines, places) => {
      const bytes = utf8.encode(lines.map((text) => `${text}\n`).join(''));
      expect(await split(cut(bytes, places), 100_000)).toEqual({lines});
    }),
  );
});

test.each([
  ['CRLF', 'a\r\nb\r\n', ['a', 'b']],
  ['a last line without a line end', 'a\nb', ['a', 'b']],
  ['a last line with half a character', 'a\nb\r', ['a', 'b']],
  ['empty lines', '\n\na\n', ['', '', 'a']],
  ['a byte order mark', '\uFEFFa\n', ['a']],
  ['nothing', '', []],
])('%s', async (_, text, lines) => {
  expect(await split([utf8.encode(text)])).toEqual({lines});
});

test('invalid UTF-8 does not affect the next line', async () => {
  const bytes = Uint8Array.of(0x61, 0xff, 0xc3, 0x0a, 0x62, 0x0a);
  expect(await split([bytes])).toEqual({lines: ['a\uFFFD\uFFFD', 'b']});
});

describe('a line that is too long', () => {
  const tooLarge = expect.objectContaining({name: 'MessageTooLargeError', maxMessageBytes: 10});

  test.each([
    ['in one chunk', ['ok\n12345678901\nlost\n']],
    ['over chunks', ['ok\n', '123456', '78901\nlost\n']],
    ['that does not end', ['ok\n', '123456', '78901']],
  ])('%s ends the stream, and keeps earlier lines', async (_, chunks) => {
    const {lines, error} = await split(
      chunks.map((chunk) => utf8.encode(chunk)),
      10,
    );
    expect(lines).toEqual(['ok']);
    expect(error).toEqual(tooLarge);
  });

  test('ends reading', async () => {
    const ended = Promise.withResolvers<unknown>();
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(utf8.encode('12345678901')),
      cancel: ended.resolve,
    });
    const reader = linesOf(source, 10).getReader();
    await expect(reader.read()).rejects.toEqual(tooLarge);
    expect(await ended.promise).toEqual(tooLarge);
  });

  test('is measured in bytes', async () => {
    expect(await split([utf8.encode('1234567890\nééééé\n')], 10)).toEqual({lines: ['1234567890', 'ééééé']});
    expect((await split([utf8.encode('éééééé\n')], 10)).error).toEqual(tooLarge);
    expect((await split(cut(utf8.encode('éééééé\n'), [3, 9]), 10)).error).toEqual(tooLarge);
  });
});

describe('the next read', () => {
  const update = '{"method":"session/update"}\n';
  const request = '{"method":"fs/read_text_file"}\n';
  const large = `{"method":"session/update","text":"${'x'.repeat(10_000)}"}\n`;

  afterEach(() => void vi.useRealTimers());

  /** Reads the chunks, which arrive at intervals, and one more; returns how long that one takes. */
  async function timeOfLastRead(chunks: readonly string[], interval: number): Promise<number> {
    vi.useFakeTimers();
    const source = new TransformStream<Uint8Array, Uint8Array>({}, {highWaterMark: Infinity});
    const writer = source.writable.getWriter();
    const reader = linesOf(source.readable, 100_000).getReader();
    for (const chunk of chunks) {
      await vi.advanceTimersByTimeAsync(interval);
      void writer.write(utf8.encode(chunk));
      const read = reader.read();
      await vi.advanceTimersByTimeAsync(0);
      await read;
    }
    const start = performance.now();
    void writer.write(utf8.encode(request));
    const last = reader.read().then(() => performance.now() - start);
    await vi.advanceTimersByTimeAsync(1000);
    return last;
  }

  test('waits after updates in a row', async () => {
    expect(await timeOfLastRead([update, update], 5)).toBe(25);
  });

  test.each([
    ['a single update', [update], 5],
    ['updates that are rare', [update, update, update], 100],
    ['a request', [update, update.repeat(2) + request], 5],
    ['an update after a request', [update, request, update], 5],
    ['large updates', [large, large, large], 5],
  ])('does not wait after %s', async (_, chunks, interval) => {
    expect(await timeOfLastRead(chunks, interval)).toBe(0);
  });
});

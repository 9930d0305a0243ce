import type {Readable, Writable} from 'node:stream';

/**
 * The bytes of a child's stdout. `end` closes it although the pipe is still open: a daemon that the child left behind holds
 * the other end, and Node's own `Readable.toWeb` would wait for it. After a cancel the rest is read and dropped, so that
 * a child which still writes as it ends is not killed by a closed pipe.
 */
export function readableBytes(source: Readable): {stream: ReadableStream<Uint8Array>; end: () => void} {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  function end(): void {
    controller?.close();
    controller = undefined;
    source.destroy();
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
        source.on('data', (chunk: Uint8Array) => {
          controller?.enqueue(chunk);
          if ((controller?.desiredSize ?? 1) <= 0) source.pause();
        });
        for (const event of ['end', 'close', 'error']) source.on(event, end);
        source.pause();
      },
      pull: () => void source.resume(),
      cancel() {
        controller = undefined;
        source.resume();
      },
    },
    {highWaterMark: 1},
  );
  return {stream, end};
}

/** The bytes of a child's stdin; a write fails when the child no longer reads. */
export function writableBytes(target: Writable): WritableStream<Uint8Array> {
  target.on('error', () => {});
  return new WritableStream<Uint8Array>({
    write: (chunk) =>
      new Promise((resolve, reject) => {
        target.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => void target.end(),
  });
}

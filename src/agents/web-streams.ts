import type {Readable, Writable} from 'node:stream';

/**
 * The bytes of a child's stdout. `end` closes it although the pipe is still open: a daemon that the child left behind holds
 * the other end, and Node's own `Readable.toWeb` would wait for it.
 */
export function readableBytes(source: Readable): {stream: ReadableStream<Uint8Array>; end: () => void} {
  let end = () => {};
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let open = true;
        end = () => {
          if (!open) return;
          open = false;
          controller.close();
          source.destroy();
        };
        source.on('data', (chunk: Uint8Array) => {
          if (!open) return;
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) source.pause();
        });
        for (const event of ['end', 'close', 'error']) source.on(event, end);
        source.pause();
      },
      pull: () => void source.resume(),
      cancel: () => void source.destroy(),
    },
    {highWaterMark: 1},
  );
  return {stream, end: () => end()};
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

import type {Writable} from 'node:stream';

/** A stream that results or messages go to. Never throws: a reader that has gone away is reported once. */
export interface Output {
  readonly isTerminal: boolean;
  /** Takes text; what comes within one turn of the event loop is written at once. */
  write(text: string): void;
  /** Writes what waits now, so that two outputs on one terminal keep their order. */
  flush(): void;
  /** Undefined while the reader keeps up; else resolves when it has caught up, or is gone. */
  pace(): Promise<void> | undefined;
  /** Resolves when everything is written, or nobody reads any more. */
  written(): Promise<void>;
  /** Calls back once when the reader has gone away. */
  onClosed(listener: () => void): void;
}

/** Wraps a stream such as `process.stdout`. */
export function createOutput(stream: Writable & {readonly isTTY?: boolean}): Output {
  let waiting = '';
  let scheduled: NodeJS.Immediate | undefined;
  let closed = false;
  const listeners = new Set<() => void>();
  const gone = Promise.withResolvers<void>();

  // A broken pipe, a full disk: either way there is nobody to tell on this stream.
  stream.on('error', () => {
    if (closed) return;
    closed = true;
    gone.resolve();
    for (const listener of listeners) listener();
  });

  function flush(): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    const text = waiting;
    waiting = '';
    if (text !== '' && !closed) stream.write(text);
  }

  function drained(): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<void>();
    stream.once('drain', resolve);
    return Promise.race([promise, gone.promise]);
  }

  return {
    isTerminal: stream.isTTY ?? false,
    write(text) {
      if (closed) return;
      waiting += text;
      scheduled ??= setImmediate(flush);
    },
    flush,
    pace: () => (stream.writableNeedDrain && !closed ? drained() : undefined),
    async written() {
      flush();
      if (closed) return;
      const {promise, resolve} = Promise.withResolvers<void>();
      stream.write('', () => resolve());
      await Promise.race([promise, gone.promise]);
    },
    onClosed: (listener) => void listeners.add(listener),
  };
}

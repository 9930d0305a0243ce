import type {Readable} from 'node:stream';

const LIMIT = 64 * 1024;

/** Keeps the last 64 KiB (UTF-16 units) of a stream; returns how to read them. */
export function createStderrTail(stream: Readable, listener?: (text: string) => void): () => string {
  let tail = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    tail = (tail + text).slice(-LIMIT);
    listener?.(text);
  });
  stream.on('error', () => {});
  return () => tail;
}

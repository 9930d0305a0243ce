import {fstatSync, writeSync} from 'node:fs';
import type {Writable} from 'node:stream';
import {signalCode} from './exit-codes.ts';
import type {Failure} from '../shared/failure.ts';
import {writeFailure} from '../shared/files/file-failure.ts';

/** Why a stream accepts no more data: its reader is gone, or a write failed (a full disk). */
type Break = {readonly kind: 'closed'} | {readonly kind: 'failed'; readonly failure: Failure};

/** A stream for results or messages. Never throws: a failure is reported once. */
export interface Output {
  readonly isTerminal: boolean;
  /** Writes text or bytes; text is batched per turn of the event loop. */
  write(text: string | Uint8Array): void;
  /** Writes buffered text now, so that two outputs on one terminal keep their order. */
  flush(): void;
  /** Undefined while the reader keeps up; otherwise resolves when it has caught up, or is gone. */
  pace(): Promise<void> | undefined;
  /** Resolves when everything is written, or to why it cannot be. */
  written(): Promise<Break | undefined>;
  /** Calls back once if nothing more can be written. */
  onBroken(listener: (cause: Break) => void): void;
}

/** A standard stream, or a replacement in tests. */
type OutputStream = Writable & {readonly isTTY?: boolean; readonly fd?: number};

/** Wraps a stream such as `process.stdout`; `name` starts the sentences of its errors. */
export function createOutput(stream: OutputStream, name: string): Output {
  const send = isFile(stream) ? intoFile(stream.fd) : intoStream(stream);
  let waiting = '';
  let scheduled: NodeJS.Immediate | undefined;
  let broken: Break | undefined;
  const listeners = new Set<(cause: Break) => void>();
  const gone = Promise.withResolvers<Break>();

  function breaks(error: unknown): void {
    if (broken) return;
    broken = isClosed(error)
      ? {kind: 'closed'}
      : {kind: 'failed', failure: writeFailure({stream: name}, error)};
    gone.resolve(broken);
    for (const listener of listeners) listener(broken);
  }

  stream.on('error', breaks);

  function sendAll(done: () => void): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    const text = waiting;
    waiting = '';
    if (broken) return;
    send(text, (error) => {
      if (error) breaks(error);
      done();
    });
  }

  function flush(): void {
    if (waiting !== '') sendAll(() => {});
  }

  async function drained(): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<void>();
    stream.once('drain', resolve);
    await Promise.race([promise, gone.promise]);
  }

  return {
    isTerminal: stream.isTTY ?? false,
    write(text) {
      if (broken || text === '') return;
      if (typeof text !== 'string') {
        flush();
        return send(text, (error) => error && breaks(error));
      }
      waiting += text;
      scheduled ??= setImmediate(flush);
    },
    flush,
    pace: () => (stream.writableNeedDrain && !broken ? drained() : undefined),
    async written() {
      const {promise, resolve} = Promise.withResolvers<void>();
      sendAll(resolve);
      await Promise.race([promise, gone.promise]);
      return broken;
    },
    onBroken: (listener) => void listeners.add(listener),
  };
}

type Send = (text: string | Uint8Array, done: (error?: unknown) => void) => void;

function intoStream(stream: Writable): Send {
  return (text, done) => void stream.write(text, done);
}

/** Node's own stream reports data as written that did not fit on the disk. */
function intoFile(fd: number): Send {
  return (text, done) => {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    try {
      for (let start = 0; start < bytes.length;) start += writeSync(fd, bytes, start);
    } catch (error) {
      done(error);
      return;
    }
    done();
  };
}

/** True for files and devices other than terminals; pipes and sockets are left to Node. */
function isFile(stream: OutputStream): stream is OutputStream & {readonly fd: number} {
  if (stream.fd === undefined || stream.isTTY) return false;
  try {
    const found = fstatSync(stream.fd);
    return found.isFile() || found.isCharacterDevice() || found.isBlockDevice();
  } catch {
    return false;
  }
}

const CLOSED: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CLOSED.has(error.code);
}

/** Returns the exit code after all output: 141 without a message if the reader of the results is gone, and 1 with a message if they could not be written. */
export async function exitCodeAfter(
  {stdout, stderr}: {readonly stdout: Output; readonly stderr: Output},
  exitCode: number,
): Promise<number> {
  const broken = await stdout.written();
  if (broken?.kind === 'failed') {
    const {failureSentence} = await import('../shared/failure-messages.ts');
    stderr.write(`acp-tui: ${failureSentence(broken.failure)}\n`);
  }
  await stderr.written();
  if (broken) return broken.kind === 'closed' ? signalCode('SIGPIPE') : 1;
  return exitCode;
}

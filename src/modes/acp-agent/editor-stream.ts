import {DEFAULT_MAX_MESSAGE_BYTES, ndJsonStream, type Stream} from '@agentclientprotocol/sdk/unstable';

/** The streams of an editor; both are bytes. */
interface EditorPipes {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
}

/** Returns the messages of an editor. One over the limit is answered with an error, and the next one is read: the SDK would end the connection without a word. */
export function editorStream({input, output}: EditorPipes, maxBytes = DEFAULT_MAX_MESSAGE_BYTES): Stream {
  const writer = output.getWriter();
  const refuse = (line: LongLine) => writer.write(refusal(line, maxBytes)).catch(() => undefined);
  const own = new WritableStream<Uint8Array>({
    write: (bytes) => writer.write(bytes),
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
  return ndJsonStream(own, input.pipeThrough(withoutLongLines(maxBytes, (line) => void refuse(line))));
}

/** What is kept of a line that is too long. */
interface LongLine {
  readonly start: string;
  readonly end: string;
}

const NEWLINE = 0x0a;
/** Of the start and the end of a line, in bytes: its id is there. */
const KEPT = 1024;

/** Passes on whole lines; calls back with those over the limit instead, of which no more than the limit is ever held. */
function withoutLongLines(
  maxBytes: number,
  onLong: (line: LongLine) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array[] = [];
  let length = 0;
  let start = '';
  let end = Buffer.alloc(0);

  function take(piece: Uint8Array): void {
    length += piece.length;
    if (length <= maxBytes) return void held.push(piece);
    // The pieces are dropped, except for both ends of the line.
    const before = start === '' ? Buffer.concat(held) : end;
    if (start === '') start = Buffer.concat([before, piece.subarray(0, KEPT)]).toString('utf8', 0, KEPT);
    end = Buffer.concat([before.subarray(-KEPT), piece.subarray(-KEPT)]).subarray(-KEPT);
    held = [];
  }

  return new TransformStream({
    transform(chunk, controller) {
      for (let at = 0; at < chunk.length;) {
        const found = chunk.indexOf(NEWLINE, at);
        const next = found === -1 ? chunk.length : found + 1;
        take(chunk.subarray(at, next));
        at = next;
        if (found === -1) continue;
        if (start === '') for (const piece of held) controller.enqueue(piece);
        else onLong({start, end: end.toString('utf8')});
        [held, length, start] = [[], 0, ''];
      }
    },
    flush(controller) {
      for (const piece of held) controller.enqueue(piece);
    },
  });
}

const ID = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)`;
const METHOD = String.raw`"method"\s*:\s*"[^"\\]*"`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
/** The id of a request, before its params or behind them. */
const FIRST = new RegExp(String.raw`^\s*\{\s*(?:(?:${VERSION}|${METHOD})\s*,\s*)*${ID}\s*,`);
const LAST = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*(?:${VERSION}|${METHOD})\s*)*\}\s*$`);

/** "Error Handling" of JSON-RPC: a request whose id cannot be told has the id null. */
function refusal({start, end}: LongLine, maxBytes: number): Uint8Array {
  const isRequest = new RegExp(METHOD).test(start + end);
  const id = isRequest ? (FIRST.exec(start) ?? LAST.exec(end))?.[1] : undefined;
  const message = `The message is too long: ${Math.floor(maxBytes / 1024 / 1024)} MiB are allowed. Attach large files as links.`;
  const error = JSON.stringify({code: -32600, message});
  return new TextEncoder().encode(`{"jsonrpc":"2.0","id":${id ?? 'null'},"error":${error}}\n`);
}

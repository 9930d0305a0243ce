import type {Result} from '../shared/failure.ts';
import {displayUrl, downloadFailed, networkFailed} from './url.ts';
import type {Timeouts} from './timeouts.ts';
import type {DownloadResponse} from './request.ts';

/** Progress of a download in bytes. */
export interface DownloadProgress {
  readonly received: number;
  /** Undefined if the server does not report it. */
  readonly total: number | undefined;
}

interface ReadBodyOptions {
  readonly limitBytes: number;
  readonly timeouts: Timeouts;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /** Called with the bytes as they arrive; more follow only after it resolves. Its errors are rethrown. */
  readonly take: (bytes: Uint8Array) => void | Promise<void>;
}

/** Reads the complete body of a response, within the limit; resolves to its size in bytes. */
export async function readBody(
  {message, url}: DownloadResponse,
  {limitBytes, timeouts, onProgress, take}: ReadBodyOptions,
): Promise<Result<number>> {
  const shown = displayUrl(url);
  const total = contentLength(message.headers['content-length']);
  let received = 0;
  const tooLarge = () => {
    message.destroy();
    return downloadFailed(shown, 'too_large', String(limitBytes));
  };
  if (total !== undefined && total > limitBytes) return tooLarge();
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const next = await chunks.next().catch((error: unknown) => {
      const verdict = timeouts.verdict();
      return verdict ? downloadFailed(shown, verdict) : networkFailed(shown, error);
    });
    if ('ok' in next) return next;
    if (next.done) break;
    received += next.value.length;
    if (received > limitBytes) return tooLarge();
    timeouts.onData(next.value.length);
    onProgress?.({received, total});
    await take(next.value);
  }
  return total !== undefined && received !== total
    ? downloadFailed(shown, 'cut_off', `${received} of ${total} bytes`)
    : {ok: true, value: received};
}

/** Returns the size from the Content-Length header. */
export function contentLength(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

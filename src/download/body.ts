import type {Result} from '../shared/failure.ts';
import {shownAddress, downloadFailed, networkFailed} from './url.ts';
import type {Timeouts} from './timeouts.ts';
import type {Answer} from './request.ts';

/** How far a download is, in bytes. */
export interface Progress {
  readonly received: number;
  /** Undefined where the server does not say. */
  readonly total: number | undefined;
}

export interface Receiving {
  readonly limitBytes: number;
  readonly patience: Timeouts;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Takes the bytes as they come; no more come until it is done. What it throws is thrown on. */
  readonly take: (bytes: Uint8Array) => void | Promise<void>;
}

/** Takes in the body of an answer, whole and within the limit; resolves to its size in bytes. */
export async function receive(
  {message, url}: Answer,
  {limitBytes, patience, onProgress, take}: Receiving,
): Promise<Result<number>> {
  const shown = shownAddress(url);
  const total = announced(message.headers['content-length']);
  let received = 0;
  const tooLarge = () => {
    message.destroy();
    return downloadFailed(shown, 'too_large', String(limitBytes));
  };
  if (total !== undefined && total > limitBytes) return tooLarge();
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const next = await chunks.next().catch((error: unknown) => {
      const verdict = patience.verdict();
      return verdict ? downloadFailed(shown, verdict) : networkFailed(shown, error);
    });
    if ('ok' in next) return next;
    if (next.done) break;
    received += next.value.length;
    if (received > limitBytes) return tooLarge();
    patience.heard(next.value.length);
    onProgress?.({received, total});
    await take(next.value);
  }
  return total !== undefined && received !== total
    ? downloadFailed(shown, 'cut_off', `${received} of ${total} bytes`)
    : {ok: true, value: received};
}

/** What the server says of the size. */
export function announced(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

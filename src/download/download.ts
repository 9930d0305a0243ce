import {createHash} from 'node:crypto';
import {open, type FileHandle} from 'node:fs/promises';
import {fileFailed} from '../shared/files/file-failure.ts';
import type {Result} from '../shared/failure.ts';
import {createTimeouts, type Timeouts} from './timeouts.ts';
import {contentLength, readBody, type DownloadProgress} from './body.ts';
import {request} from './request.ts';

interface DownloadOptions {
  /** Maximum size in bytes. */
  readonly limitBytes: number;
  /** How long almost no data may arrive, in milliseconds. */
  readonly idleMs?: number;
  /** Cancels the download. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

interface TextOptions extends DownloadOptions {
  /** Etag of the cached text: `unchanged` if it is still current. */
  readonly etag?: string | undefined;
}

type DownloadedText =
  {readonly kind: 'text'; readonly text: string; readonly etag?: string} | {readonly kind: 'unchanged'};

interface DownloadedFile {
  readonly bytes: number;
  /** In lower-case hexadecimal. */
  readonly sha256: string;
}

const IDLE_MS = 30_000;
/** Short, because the user waits for a question that works without the size. */
const SIZE_IDLE_MS = 3000;
const PRIVATE_FILE = 0o600;

/**
 * Downloads a text (UTF-8). Like all downloads: over https only, including redirects, except for http on this computer; through the proxies of the
 * environment. Failures are of the kind `download`.
 */
export async function downloadText(address: string, options: TextOptions): Promise<Result<DownloadedText>> {
  return withTimeouts(options, async (timeouts) => {
    const answered = await request(address, {method: 'GET', etag: options.etag, timeouts});
    if (!answered.ok) return answered;
    const {message} = answered.value;
    if (message.statusCode === 304) {
      message.destroy();
      return {ok: true, value: {kind: 'unchanged'}};
    }
    const chunks: Uint8Array[] = [];
    const received = await readBody(answered.value, {
      ...options,
      timeouts,
      take: (bytes) => void chunks.push(bytes),
    });
    if (!received.ok) return received;
    const {etag} = message.headers;
    const text = Buffer.concat(chunks).toString('utf8');
    return {ok: true, value: {kind: 'text', text, ...(etag !== undefined && {etag})}};
  });
}

/** Downloads into a new file. After a failure (`download`, `file`) a partial file may remain. */
export async function downloadFile(
  address: string,
  path: string,
  options: DownloadOptions,
): Promise<Result<DownloadedFile>> {
  return withTimeouts(options, async (timeouts) => {
    const answered = await request(address, {method: 'GET', timeouts});
    if (!answered.ok) return answered;
    const {message} = answered.value;
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'wx', PRIVATE_FILE);
      const hash = createHash('sha256');
      const write = file.writeFile.bind(file);
      const take = async (bytes: Uint8Array) => {
        hash.update(bytes);
        await write(bytes);
      };
      const received = await readBody(answered.value, {...options, timeouts, take});
      if (!received.ok) return received;
      await file.sync();
      return {ok: true, value: {bytes: received.value, sha256: hash.digest('hex')}};
    } catch (error) {
      return fileFailed(path, error);
    } finally {
      message.destroy();
      await file?.close();
    }
  });
}

/** Returns the size of a download in bytes by a HEAD request; undefined if the server does not report it. */
export async function downloadSize(address: string, signal?: AbortSignal): Promise<number | undefined> {
  return withTimeouts({idleMs: SIZE_IDLE_MS, signal}, async (timeouts) => {
    const answered = await request(address, {method: 'HEAD', timeouts});
    if (!answered.ok) return undefined;
    answered.value.message.destroy();
    return contentLength(answered.value.message.headers['content-length']);
  });
}

async function withTimeouts<T>(
  {idleMs = IDLE_MS, signal}: Pick<DownloadOptions, 'idleMs' | 'signal'>,
  act: (timeouts: Timeouts) => Promise<T>,
): Promise<T> {
  const timeouts = createTimeouts(idleMs, signal);
  try {
    return await act(timeouts);
  } finally {
    timeouts.end();
  }
}

import type {IncomingMessage} from 'node:http';
import {errorMessage, type Result} from '../shared/failure.ts';
import {version} from '../shared/version.ts';
import {connectionFor} from './connection.ts';
import {RequestFailed, send} from './fetch.ts';
import type {Timeouts} from './timeouts.ts';
import {parseUrl, displayUrl, downloadFailed, networkFailed} from './url.ts';

interface DownloadRequest {
  readonly method: 'GET' | 'HEAD';
  /** Etag of the cached content: the response is 304 if it is still current. */
  readonly etag?: string | undefined;
  readonly timeouts: Timeouts;
}

export interface DownloadResponse {
  readonly message: IncomingMessage;
  /** The final URL after redirects. */
  readonly url: URL;
}

const REDIRECTIONS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTIONS = 5;

/** Requests a URL and follows redirects; returns a response with status 200 or 304, or a failure. */
export async function request(address: string, download: DownloadRequest): Promise<Result<DownloadResponse>> {
  let url = parseUrl(address);
  for (let hops = 0; ; hops++) {
    if (!url.ok) return url;
    if (hops > MAX_REDIRECTIONS)
      return downloadFailed(displayUrl(url.value), 'redirects', String(MAX_REDIRECTIONS));
    const answered = await requestOnce(url.value, download);
    if (!answered.ok) return answered;
    const {statusCode = 0, headers} = answered.value;
    if (statusCode === 200 || statusCode === 304) {
      return {ok: true, value: {message: answered.value, url: url.value}};
    }
    answered.value.destroy();
    if (!REDIRECTIONS.has(statusCode) || headers.location === undefined) {
      return downloadFailed(displayUrl(url.value), 'status', String(statusCode));
    }
    url = parseUrl(headers.location, url.value);
  }
}

async function requestOnce(
  url: URL,
  {method, etag, timeouts}: DownloadRequest,
): Promise<Result<IncomingMessage>> {
  const shown = displayUrl(url);
  const headers = {
    'user-agent': `acp-tui/${version}`,
    'accept-encoding': 'identity',
    ...(etag !== undefined && {'if-none-match': etag}),
  };
  try {
    return {ok: true, value: await send(url, connectionFor(url), {method, headers, signal: timeouts.signal})};
  } catch (error) {
    const verdict = timeouts.verdict();
    if (verdict) return downloadFailed(shown, verdict);
    // The environment's proxy is invalid.
    if (!(error instanceof RequestFailed)) return downloadFailed(shown, 'proxy', errorMessage(error));
    const {proxy, answered, message, cause} = error;
    if (proxy === undefined) return networkFailed(shown, cause);
    return downloadFailed(
      shown,
      'proxy',
      answered === undefined ? `${proxy}: ${message}` : `${proxy} answered ${answered}`,
    );
  }
}

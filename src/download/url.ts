import type {Result, DownloadReason, Failure} from '../shared/failure.ts';

/** Parses a URL that may be downloaded: https; http only on this computer, and not after https. `from` is the URL that redirects here. */
export function parseUrl(text: string, from?: URL): Result<URL> {
  const url = URL.parse(text, from);
  if (!url) return downloadFailed(withoutSecrets(text), 'address');
  const isAllowed = url.protocol === 'https:' || (isLocalHttp(url) && (!from || isLocalHttp(from)));
  if (!isAllowed) return downloadFailed(displayUrl(url), from ? 'insecure_redirect' : 'insecure');
  return {ok: true, value: url};
}

/** Returns a URL for display: without credentials, and without the query, which often contains a signature. */
export function displayUrl({protocol, host, pathname}: URL): string {
  return `${protocol}//${host}${pathname}`;
}

function isLocalHttp(url: URL): boolean {
  return url.protocol === 'http:' && isLoopback(url);
}

/** True for this computer, by its loopback address or as `localhost`: any other name could lead elsewhere. */
export function isLoopback({hostname}: URL): boolean {
  return /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]' || hostname === 'localhost';
}

/** Returns a URL without credentials, query and fragment, even if it cannot be parsed. */
export function withoutSecrets(text: string): string {
  return text.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}

interface Failed {
  readonly ok: false;
  readonly failure: Extract<Failure, {kind: 'download'}>;
}

/** The failure of a download. `url` is formatted by `displayUrl`. */
export function downloadFailed(url: string, reason: DownloadReason, detail?: string): Failed {
  return {ok: false, failure: {kind: 'download', url, reason, ...(detail && {detail})}};
}

/** Returns an error of Node's network functions as a failure. */
export function networkFailed(url: string, error: unknown): Failed {
  const {code, message} = asCoded(error);
  return downloadFailed(url, reasonOf(code), message);
}

/** What OpenSSL and Node say of a certificate that they do not accept. */
const CERTIFICATE = /CERT|UNABLE_TO_(?:VERIFY|GET)|SELF_SIGNED|HOSTNAME_MISMATCH/;

const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'HPE_INVALID_EOF_STATE', 'ERR_STREAM_PREMATURE_CLOSE']);

function reasonOf(code: string): DownloadReason {
  if (CERTIFICATE.test(code)) return 'certificate';
  if (CUT_OFF.has(code)) return 'cut_off';
  return 'unreachable';
}

function asCoded(error: unknown): {readonly code: string; readonly message: string} {
  // Several addresses of one host were tried: each has an error of its own.
  if (error instanceof AggregateError && error.errors.length > 0) return asCoded(error.errors[0]);
  if (!(error instanceof Error)) return {code: '', message: String(error)};
  return {code: 'code' in error ? String(error.code) : '', message: error.message};
}

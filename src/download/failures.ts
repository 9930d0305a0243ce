import type {DownloadReason, Failure} from '../failure.ts';

interface Failed {
  readonly ok: false;
  readonly failure: Extract<Failure, {kind: 'download'}>;
}

/** A download that failed. `url` as `shownAddress` gives it. */
export function downloadFailed(url: string, reason: DownloadReason, detail?: string): Failed {
  return {ok: false, failure: {kind: 'download', url, reason, ...(detail && {detail})}};
}

/** What Node's network functions threw, as a failure. */
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

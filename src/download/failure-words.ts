import type {DownloadReason, Failure} from '../failure.ts';

interface Words {
  readonly why: (detail: string) => string;
  readonly todo?: string;
}

const TRY_AGAIN = 'Try again.';

const words: Readonly<Record<DownloadReason, Words>> = {
  address: {why: () => 'It is not an address.', todo: 'Give one that begins with https://.'},
  insecure: {why: () => 'Only addresses that begin with https:// are fetched.'},
  insecure_redirect: {why: () => 'The server sends us there without encryption, and that is not followed.'},
  redirects: {why: (most) => `The server sent us on more than ${most} times.`},
  status: {
    why: (status) => `The server answered ${status}${STATUSES[status] ? ` (${STATUSES[status]})` : ''}.`,
  },
  too_large: {
    why: (limit) =>
      `It is larger than ${Math.ceil(Number(limit) / (1024 * 1024))} MiB, the most that is taken.`,
  },
  stalled: {
    why: () => 'Nothing came for too long.',
    todo: 'Check the connection to the network, and try again.',
  },
  cut_off: {
    why: (detail) => `The connection ended before everything was there (${detail}).`,
    todo: TRY_AGAIN,
  },
  called_off: {why: () => 'It was called off.'},
  unreachable: {
    why: (detail) => `The server could not be reached: ${detail}`,
    todo: 'Check the connection to the network; behind a proxy, set HTTPS_PROXY.',
  },
  proxy: {
    why: (detail) => `The proxy did not connect us: ${detail}`,
    todo: 'Check HTTPS_PROXY, or exempt the server with NO_PROXY.',
  },
  unexpected: {why: (expected) => `What came is not ${expected}.`, todo: 'Check the address.'},
  certificate: {
    why: (detail) => `The server's certificate is not trusted: ${detail}`,
    todo: 'If your network has a certificate authority of its own, name its file in NODE_EXTRA_CA_CERTS.',
  },
};

const STATUSES: Readonly<Record<string, string>> = {
  401: 'it wants credentials',
  403: 'it does not allow that',
  404: 'there is nothing at this address',
  410: 'there is nothing at this address any more',
  429: 'too many requests; try again later',
  500: 'it has a fault; try again later',
  502: 'it has a fault; try again later',
  503: 'it is overloaded; try again later',
};

/** Why a download failed, and what can be done. The detail has others' words: it is made safe by the caller. */
export function downloadWords({reason, detail = ''}: Extract<Failure, {kind: 'download'}>): {
  readonly why: string;
  readonly todo: string | undefined;
} {
  const {why, todo} = words[reason];
  return {why: why(detail), todo};
}

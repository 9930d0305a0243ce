import {createServer, isIP, type LookupFunction, type Server, type Socket} from 'node:net';
import {errorMessage} from '../shared/failure.ts';
import type {SandboxPolicy} from './policy.ts';

/** A host that is neither known nor named. */
interface AskedHost {
  readonly host: string;
  readonly port: number;
}

export interface NetworkOptions {
  readonly policy: Pick<SandboxPolicy, 'network' | 'namedHosts' | 'knownHosts'>;
  /** Asks whether a host may be reached, for each connection to it. `isPrivate`: an address of this computer or its network, or a name of this computer. */
  readonly ask: (host: AskedHost & {readonly isPrivate: boolean}) => Promise<boolean>;
  /** Called for what is refused without asking. */
  readonly onRefused: (refused: AskedHost & {readonly why: string}) => void;
}

const notAllowed = ({host, port}: AskedHost, why: string) =>
  `The sandbox of acp-tui does not allow ${host}:${port}: ${why}`;

/** Addresses that no level allows: of private networks. Those of this computer and of links are the library's own. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'];

/** The first bytes of SOCKS 4 and 5; everything else is HTTP. */
const SOCKS = new Set([4, 5]);

/** How long a client may take to say which of both it speaks, in milliseconds. */
const FIRST_BYTE_MS = 10_000;

/** The proxies of a sandbox, HTTP and SOCKS on one Unix socket: its only way to the network. */
export interface Network {
  /** Undefined for a socket. */
  readonly port: number | undefined;
  close(): void;
}

/** Listens at a path, or else on a port of this computer. The library is loaded for the first connection, which takes a tenth of a second. */
export async function openNetwork(path: string | undefined, options: NetworkOptions): Promise<Network> {
  let proxies: ReturnType<typeof createProxies> | undefined;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    const tooLate = setTimeout(() => socket.destroy(), FIRST_BYTE_MS).unref();
    socket.once('readable', () => {
      clearTimeout(tooLate);
      const first = socket.read(1) as Buffer | null;
      if (!first) {
        socket.destroy();
        return;
      }
      socket.unshift(first);
      (proxies ??= createProxies(options)).then(
        ({http, socks}) =>
          SOCKS.has(first[0] ?? 0) ? socks.handleConnection(socket) : http.emit('connection', socket),
        (error: unknown) => {
          const why = errorMessage(error);
          socket.end(`HTTP/1.1 502 Bad Gateway\r\n\r\nThe sandbox's proxy cannot be loaded: ${why}\n`);
        },
      );
    });
  });
  await listen(server, path);
  server.unref();
  const address = server.address();
  return {
    port: typeof address === 'object' ? address?.port : undefined,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

function listen(server: Server, path: string | undefined): Promise<void> {
  const {promise, resolve, reject} = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(path === undefined ? {host: '127.0.0.1', port: 0} : {path}, () => resolve());
  return promise;
}

/** Loads the library's parts in use: its entry point would load the rest as well. Rejects if something of it, or that it needs, is missing. */
export async function loadLibrary() {
  const [http, socks, guard, parent, pattern, address] = await Promise.all([
    import('@anthropic-ai/sandbox-runtime/dist/sandbox/http-proxy.js'),
    import('@anthropic-ai/sandbox-runtime/dist/sandbox/socks-proxy.js'),
    import('@anthropic-ai/sandbox-runtime/dist/sandbox/resolved-address-guard.js'),
    import('@anthropic-ai/sandbox-runtime/dist/sandbox/parent-proxy.js'),
    import('@anthropic-ai/sandbox-runtime/dist/sandbox/domain-pattern.js'),
    import('@anthropic-ai/sandbox-runtime/dist/sandbox/address.js'),
  ]);
  return {...http, ...socks, ...guard, ...parent, ...pattern, ...address};
}

async function createProxies({policy, ask, onRefused}: NetworkOptions) {
  const library = await loadLibrary();
  const {canonicalizeHost, isValidHost, matchesDomainPatternWithPort: matches} = library;
  const {network, namedHosts, knownHosts} = policy;
  const isNamed = (host: string, port: number) => namedHosts.some((each) => matches(host, port, each));
  const guardOf = (deniedResolvedAddresses: readonly string[]) =>
    library.createResolvedAddressGuard({allowedDomains: namedHosts, deniedResolvedAddresses});
  /** The guard judges what a name resolves to, but neither addresses nor `localhost`. */
  const isPublic = (host: string, port: number) =>
    isIP(host) === 0
      ? !library.isLoopbackName(host)
      : guardOf(PRIVATE).permits('literal.invalid', host, port);

  /** `explain` tells the client. */
  type Explain = ((reason: string) => void) | undefined;
  function refuse({host, port}: AskedHost, why: string, explain: Explain): false {
    onRefused({host, port, why});
    explain?.(notAllowed({host, port}, why));
    return false;
  }

  async function filter(port: number, given: string, explain?: Explain): Promise<boolean> {
    if (!isValidHost(given)) return refuse({host: given, port}, 'it is not a valid host', explain);
    const host = (canonicalizeHost(given) ?? given).replace(/^\[|\]$/g, '');
    if (isNamed(host, port)) return true;
    if (network === 'none') return refuse({host, port}, 'only named hosts are allowed', explain);
    if (knownHosts.some((each) => matches(host, port, each))) return true;
    const isFree = isPublic(host, port);
    if (network === 'open' && isFree) return true;
    if (await ask({host, port, isPrivate: !isFree}).catch(() => false)) return true;
    explain?.(notAllowed({host, port}, isFree ? 'it was rejected' : 'it is a private address'));
    return false;
  }

  const lookupFor =
    (port: number): LookupFunction =>
    (host, options, callback) =>
      guardOf(isNamed(host, port) ? [] : PRIVATE).lookupFor(port)(host, options, (error, ...rest) => {
        if (library.isResolvedAddressDenied(error)) onRefused({host, port, why: `it ${error.reason}`});
        callback(error, ...rest);
      });

  const parentProxy = library.resolveParentProxy();
  const shared = {lookupFor, ...(parentProxy && {parentProxy})};
  return {
    http: library.createHttpProxyServer({
      ...shared,
      filter: (port, host, ...[, , explain]) => filter(port, host, explain),
    }),
    socks: library.createSocksProxyServer({...shared, filter: (port, host) => filter(port, host)}),
  };
}

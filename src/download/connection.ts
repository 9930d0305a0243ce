import {Agent as HttpAgent} from 'node:http';
import {Agent as HttpsAgent, type RequestOptions} from 'node:https';
import {getCACertificates} from 'node:tls';
import {HttpsProxyAgent} from 'https-proxy-agent';
import {getProxyForUrl} from 'proxy-from-env';

/** Connection options for `https.request`. */
export interface OutgoingConnection {
  readonly options: Pick<RequestOptions, 'ca' | 'rejectUnauthorized'> & {readonly agent: HttpAgent};
  /** The proxy in use, without credentials. */
  readonly proxy: string | undefined;
}

/**
 * Returns a new connection, which can be reused if kept alive. Proxies are those of HTTPS_PROXY, ALL_PROXY and NO_PROXY; certificate authorities are Node's,
 * those of NODE_EXTRA_CA_CERTS, and the system's. Throws if the environment contains an invalid proxy.
 */
export function connectionFor(url: URL, {keepAlive = false} = {}): OutgoingConnection {
  // Unencrypted connections stay on this computer, or on a network that the user chose.
  if (url.protocol === 'http:') return {options: {agent: new HttpAgent({keepAlive})}, proxy: undefined};
  // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
  const tls = {ca: certificateAuthorities(), rejectUnauthorized: true};
  const proxy = proxyFor(url);
  const agent = proxy ? new HttpsProxyAgent(proxy, {...tls, keepAlive}) : new HttpsAgent({keepAlive});
  return {options: {agent, ...tls}, proxy: proxy?.host};
}

/** `HTTPS_PROXY=proxy:3128` without a scheme means http everywhere except in the package that parses it. */
function proxyFor(url: URL): URL | undefined {
  const text = getProxyForUrl(url.href);
  if (text === '') return undefined;
  const {HTTPS_PROXY, https_proxy, ALL_PROXY, all_proxy} = process.env;
  const isBare = [HTTPS_PROXY, https_proxy, ALL_PROXY, all_proxy].some((set) => text === `https://${set}`);
  return new URL(isBare ? text.replace('https:', 'http:') : text);
}

let known: string[] | undefined;

function certificateAuthorities(): string[] {
  known ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return known;
}

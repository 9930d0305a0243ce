import type {Result} from '../failure.ts';
import {downloadFailed} from './failures.ts';

/**
 * An address that may be fetched: https; http only on this computer, and not after https. `from` is the address that
 * redirects here.
 */
export function readAddress(text: string, from?: URL): Result<URL> {
  const url = URL.parse(text, from);
  if (!url) return downloadFailed(quotable(text), 'address');
  const isAllowed = url.protocol === 'https:' || (isLocalHttp(url) && (!from || isLocalHttp(from)));
  if (!isAllowed) return downloadFailed(shownAddress(url), from ? 'insecure_redirect' : 'insecure');
  return {ok: true, value: url};
}

/** How an address is told: without credentials, and without the query, which often holds a signature. */
export function shownAddress({protocol, host, pathname}: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/** By its number or as `localhost`: any other name could lead elsewhere. */
function isLocalHttp({protocol, hostname}: URL): boolean {
  return (
    protocol === 'http:' &&
    (/^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]' || hostname === 'localhost')
  );
}

/** What is no address cannot be taken apart; a query is left out all the same. */
function quotable(text: string): string {
  return text.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}

declare module 'proxy-from-env' {
  /** Returns the proxy for a URL from `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in either case; '' for none. */
  export function getProxyForUrl(url: string): string;
}

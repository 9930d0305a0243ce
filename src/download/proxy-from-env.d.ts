declare module 'proxy-from-env' {
  /** The proxy for this address by `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in capitals or not; '' for none. */
  export function getProxyForUrl(url: string): string;
}

/**
 * An address that may be asked: https, or http on this machine alone, where nobody is in between. Undefined when the text is
 * none, or carries a name and password.
 */
export function safeAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  if (!url || url.username !== '' || url.password !== '') return undefined;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isSafe ? url : undefined;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

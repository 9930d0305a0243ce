import {domainToUnicode} from 'node:url';
import type {Link} from '../../session/forms/link.ts';
import {escapeHiddenLine} from '../../text/hidden.ts';

/** Reads an address that is to be opened in a browser; undefined for what is none. Nothing is fetched. */
export function readLink(address: string): Link | undefined {
  const url = URL.parse(address);
  // Other schemes start programs with what an agent wrote.
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return undefined;
  const unicode = escapeHiddenLine(domainToUnicode(url.hostname));
  const isPunycode = unicode !== '' && unicode !== url.hostname;
  return {href: url.href, host: url.host, ...(isPunycode && {unicodeHost: unicode})};
}

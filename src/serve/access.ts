import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';

/** The path of both transports. */
export const SERVED_PATH = '/acp';

/**
 * Returns the status to refuse a request with; undefined if it is allowed. A request from a web page has an origin and is always refused: no page that a user
 * happens to open may reach an agent on the same computer.
 */
export function refusalOf({url = '', headers}: IncomingMessage, token: string): number | undefined {
  if (headers.origin !== undefined) return 403;
  const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  if (given === undefined || !isSame(given, token)) return 401;
  return url.split('?', 1)[0] === SERVED_PATH ? undefined : 404;
}

/** Takes constant time, whatever the texts have in common. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

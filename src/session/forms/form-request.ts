import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Field} from './form-schema.ts';

/** A question from `elicitation/create` or from the host, parsed for display. */
export type ElicitationQuestion = {
  readonly message: string;
  /** The related tool call. */
  readonly toolCallId?: acp.ToolCallId;
  /** Who asks, if it is not the agent. */
  readonly asker?: string;
  /** True if the agent sent no session id. */
  readonly isForNone?: boolean;
  /** The asking session, if known. */
  readonly sessionId?: acp.SessionId;
} & (
  | {
      readonly mode: 'form';
      readonly title?: string;
      readonly description?: string;
      readonly fields: readonly Field[];
    }
  | {readonly mode: 'url'; readonly link: Link}
);

/** A question of a form and its answer, as text. */
export interface AnsweredQuestion {
  readonly label: string;
  /** Undefined if it was left empty, or is not stored. */
  readonly answer?: string;
  /** The answer is a secret: it was sent but not stored. */
  readonly isSecret?: true;
}

/** The outcome of an elicitation; `accepted` for a URL means that it may be opened. */
export type ElicitationOutcome = 'accepted' | 'declined' | 'cancelled' | 'withdrawn';

/** A URL that an agent asks the user to open ("Elicitation", URL mode), parsed. */
export interface Link {
  /** The complete URL in ASCII, so that no character in it can imitate another. */
  readonly href: string;
  /** Host and port, a part of `href`. */
  readonly host: string;
  /** The host in Unicode, if `host` is in Punycode. */
  readonly unicodeHost?: string;
}

/** Returns warnings about a URL, in sentences. */
export function linkWarnings({href, unicodeHost}: Link): readonly string[] {
  const {protocol, username, password, hostname} = new URL(href);
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname) || hostname.endsWith('.localhost');
  return [
    ...(protocol === 'https:' || isLocal
      ? []
      : ['Not https: others on the network can read and change what you see and type there.']),
    ...(unicodeHost === undefined
      ? []
      : [`The host is Punycode and reads ${unicodeHost}: check for look-alike letters.`]),
    ...(username === '' && password === ''
      ? []
      : ['There is a name before an @: the real host is after it.']),
  ];
}

/** Returns the URL in three parts, with the host in the middle for emphasis. */
export function linkParts({href, host}: Link): readonly [before: string, host: string, after: string] {
  const begin = href.indexOf('//') + 2;
  const end = begin + /^[^/?#]*/.exec(href.slice(begin))![0].length;
  const at = end - host.length;
  return [href.slice(0, at), host, href.slice(end)];
}

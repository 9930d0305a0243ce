import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Field} from './form-schema.ts';

/** A question from `elicitation/create` or from the host, parsed for display. */
export type ElicitationQuestion = {
  readonly message: string;
  /** The tool call that it is for. */
  readonly toolCallId?: acp.ToolCallId;
  /** Who asks, if it is not the agent. */
  readonly asker?: string;
  /** True if the agent has not said for which of its sessions it asks. */
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

/** A question of a form and its answer, in words. */
export interface AnsweredQuestion {
  readonly label: string;
  /** Undefined if it was left empty, or is not stored. */
  readonly answer?: string;
  /** The answer is a secret: it was sent and is not kept. */
  readonly isSecret?: true;
}

/** The outcome of an elicitation; `accepted` of an address means that it may be opened. */
export type ElicitationOutcome = 'accepted' | 'declined' | 'cancelled' | 'withdrawn';

/** An address that an agent wants to have opened ("Elicitation", URL mode), as it was read before anybody is asked. */
export interface Link {
  /** The whole of it as it would be opened: ASCII, so that nothing in it looks like something else. */
  readonly href: string;
  /** Where it leads, with the port: a part of `href`. */
  readonly host: string;
  /** The same with its characters, where `host` spells them in ASCII (Punycode). */
  readonly unicodeHost?: string;
}

/** Returns warnings about an address, in sentences. */
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

/** The address in three parts, the host in the middle, to set that off. */
export function linkParts({href, host}: Link): readonly [before: string, host: string, after: string] {
  const begin = href.indexOf('//') + 2;
  const end = begin + /^[^/?#]*/.exec(href.slice(begin))![0].length;
  const at = end - host.length;
  return [href.slice(0, at), host, href.slice(end)];
}

import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {Entry} from '../entries.ts';

const LINK = 'acp-tui/session';

/** Returns a part of a tool call's content that stands for the session of a subagent. */
export function withSessionLink<Part extends object>(part: Part, sessionId: string): Part {
  return {...part, _meta: {[LINK]: sessionId}};
}

/** Returns the subagent that an entry is the card of, or links to with the content `session` of its call. */
export function subagentOf(entry: Entry): acp.SessionId | undefined {
  if (entry.type === 'subagent') return entry.sessionId;
  if (entry.type !== 'tool_call') return undefined;
  const links = entry.content.map((part) => ('_meta' in part ? part._meta?.[LINK] : undefined));
  return links.find((link) => typeof link === 'string');
}

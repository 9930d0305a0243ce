import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isJsonObject} from '../../text/json.ts';

/** The key in a text's `_meta` with its pasted parts, for the transcript: where each begins, and its length, in UTF-16 units. */
const META_KEY = 'acp-tui/pasted';

/** Returns the content of a prompt, with its large pastes marked. */
export function promptBlock(text: string, pastes: readonly string[]): acp.ContentBlock {
  const parts: {readonly at: number; readonly length: number}[] = [];
  let from = 0;
  for (const pasted of pastes) {
    const at = text.indexOf(pasted, from);
    if (at === -1) continue;
    from = at + pasted.length;
    parts.push({at, length: pasted.length});
  }
  return {type: 'text', text, ...(parts.length > 0 && {_meta: {[META_KEY]: parts}})};
}

/** True for a text with pasted parts. */
export function isPasted({_meta}: Pick<acp.ContentBlock, '_meta'>): boolean {
  return Array.isArray(_meta?.[META_KEY]);
}

/** Returns a text with a placeholder for each of its pasted parts, as in the prompt. */
export function withPlaceholders({text, _meta}: Pick<acp.TextContent, 'text' | '_meta'>): string {
  const parts: unknown = _meta?.[META_KEY];
  let shown = '';
  let from = 0;
  for (const [index, part] of (Array.isArray(parts) ? parts : []).entries()) {
    const {at, length} = (isJsonObject(part) ? part : {}) as {at?: unknown; length?: unknown};
    if (typeof at !== 'number' || typeof length !== 'number' || at < from || at + length > text.length) break;
    shown += text.slice(from, at) + pastedLabel(index, text.slice(at, at + length));
    from = at + length;
  }
  return shown + text.slice(from);
}

/** The placeholder of a large paste; they are numbered. */
export function pastedLabel(index: number, text: string): string {
  const lines = text.split('\n').length;
  return `[Pasted text #${index + 1}, ${lines > 1 ? `${lines} lines` : `${text.length} characters`}]`;
}

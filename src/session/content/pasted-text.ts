import type * as acp from '@agentclientprotocol/sdk/unstable';
import {compactNumber} from '../../text/format.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {sanitizeLine} from '../../text/sanitize.ts';

/** A large paste, or a text that acp-tui has put into the prompt, by its name. */
export interface PastedText {
  readonly text: string;
  readonly name?: string;
}

/** The key in a text's `_meta` with its pasted parts, for the transcript: where each begins, its length, in UTF-16 units, and its name. */
const META_KEY = 'acp-tui/pasted';

/** Returns the content of a prompt, with its large pastes marked. */
export function promptBlock(text: string, pastes: readonly PastedText[]): acp.ContentBlock {
  const parts: {readonly at: number; readonly length: number; readonly name?: string}[] = [];
  let from = 0;
  for (const {text: pasted, name} of pastes) {
    const at = text.indexOf(pasted, from);
    if (at === -1) continue;
    from = at + pasted.length;
    parts.push({at, length: pasted.length, ...(name !== undefined && {name})});
  }
  return {type: 'text', text, ...(parts.length > 0 && {_meta: {[META_KEY]: parts}})};
}

/** True for a text with pasted parts. */
export function isPasted({_meta}: Pick<acp.ContentBlock, '_meta'>): boolean {
  return Array.isArray(_meta?.[META_KEY]);
}

/** A pasted part, and where it begins in its text. */
interface PastedPart extends PastedText {
  readonly at: number;
}

/** Returns the pasted parts of a text, in order. */
function partsOf({text, _meta}: Pick<acp.TextContent, 'text' | '_meta'>): readonly PastedPart[] {
  const marked: unknown = _meta?.[META_KEY];
  const parts: PastedPart[] = [];
  let from = 0;
  for (const part of Array.isArray(marked) ? (marked as unknown[]) : []) {
    const {at, length, name}: JsonObject = isJsonObject(part) ? part : {};
    if (typeof at !== 'number' || typeof length !== 'number' || at < from || at + length > text.length) break;
    from = at + length;
    parts.push({at, text: text.slice(at, from), ...(typeof name === 'string' && {name})});
  }
  return parts;
}

/** Returns the large pastes of a prompt, in order. */
export function pastesIn(content: readonly acp.ContentBlock[]): readonly PastedText[] {
  return content.flatMap((block) => (block.type === 'text' ? partsOf(block) : []));
}

/** Returns a text with a placeholder for each of its pasted parts, as in the prompt. */
export function withPlaceholders(block: Pick<acp.TextContent, 'text' | '_meta'>): string {
  let shown = '';
  let from = 0;
  let unnamed = 0;
  for (const {at, text, name} of partsOf(block)) {
    const label = name === undefined ? pastedLabel(unnamed++, text) : namedLabel(name, text);
    shown += block.text.slice(from, at) + label;
    from = at + text.length;
  }
  return shown + block.text.slice(from);
}

/** The placeholder of a large paste; they are numbered. */
export function pastedLabel(index: number, text: string): string {
  const lines = text.split('\n').length;
  return `[Pasted text #${index + 1}, ${lines > 1 ? `${lines} lines` : `${text.length} characters`}]`;
}

const MAX_NAME_LENGTH = 200;

/** The placeholder of a text that has a name: `[Conversation with Codex, 3.1k characters]`. */
export function namedLabel(name: string, text: string): string {
  return `[${sanitizeLine(name.slice(0, MAX_NAME_LENGTH))}, ${compactNumber(text.length)} characters]`;
}

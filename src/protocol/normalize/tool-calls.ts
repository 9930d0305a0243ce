import type * as acp from '@agentclientprotocol/sdk/unstable';
import {ANY_FILE, withFileChange, type FileChange} from '../../session/transcript/diffs.ts';
import {TOOL_KINDS, UNTITLED} from '../../session/transcript/tool-kinds.ts';
import {withSessionLink} from '../../session/subagents/links.ts';
import {withSentStatus} from '../../session/transcript/patches.ts';
import {toolCallContent} from '../schema.ts';
import {type Deviation, mapItems} from './deviation.ts';
import {isJsonObject} from '../../text/json.ts';
import {textPart} from '../../session/transcript/content.ts';

/** A number as the id of a tool call, which would lose the whole message. */
export const toolCallId: Deviation = {
  name: 'tool-call-id',
  fix: (toolCall) =>
    typeof toolCall['toolCallId'] === 'number'
      ? {...toolCall, toolCallId: String(toolCall['toolCallId'])}
      : toolCall,
};

const BLOCK_TYPES = new Set<unknown>(['text', 'image', 'audio', 'resource', 'resource_link']);

/** Tool content without its wrapper: a content block (as the protocol's page about plans shows), a string, or one item instead of a list. */
export const toolContent: Deviation = {
  name: 'tool-content',
  fix(toolCall) {
    const {content} = toolCall;
    if (content === undefined || content === null) return toolCall;
    const list = Array.isArray(content) ? content : [content];
    const corrected = mapItems(list, wrapped);
    return corrected === content ? toolCall : {...toolCall, content: corrected};
  },
};

/** Returns a tool call that keeps what the SDK's parsers do not know yet of a diff: that it deletes its file ("Represent deleted files in diff"). */
export function withDeletions(toolCall: unknown): unknown {
  if (!isJsonObject(toolCall) || !Array.isArray(toolCall['content'])) return toolCall;
  const {content} = toolCall;
  const read = mapItems(content, (item) => {
    if (!isJsonObject(item) || item['type'] !== 'diff' || item['deleted'] !== true) return item;
    const path = typeof item['path'] === 'string' ? item['path'] : '';
    return withFileChange(item as unknown as acp.ToolCallContent & {readonly type: 'diff'}, {
      does: 'delete',
      path,
    });
  });
  return read === content ? toolCall : {...toolCall, content: read};
}

/** Items that the SDK would drop from the list: shown as JSON text instead, of a diff with its path. Parses each item, so it is used only for calls that lost one. */
export const unknownToolContent: Deviation = {
  name: 'unknown-tool-content',
  fix(toolCall) {
    const {content} = toolCall;
    if (!Array.isArray(content)) return toolCall;
    const corrected = mapItems(content, (item) =>
      toolCallContent.safeParse(item).success ? item : unreadContent(item),
    );
    return corrected === content ? toolCall : {...toolCall, content: corrected};
  },
};

function unreadContent(item: unknown): unknown {
  const {type, path, deleted} = isJsonObject(item) ? item : {};
  const shown = textPart(JSON.stringify(item));
  if (type !== 'diff') return shown;
  // One without a path may be of any file.
  const named = typeof path === 'string' ? {does: deleted === true ? 'delete' : 'other', path} : ANY_FILE;
  return withFileChange(shown, named as FileChange);
}

function wrapped(item: unknown): unknown {
  if (typeof item === 'string') return textPart(item);
  if (!isJsonObject(item)) return item;
  if (BLOCK_TYPES.has(item['type'])) return {type: 'content', content: item};
  // The subagent that works on the call has a card of its own.
  if (item['type'] === 'session' && typeof item['sessionId'] === 'string')
    return withSessionLink(textPart(`Subagent: session ${item['sessionId']}`), item['sessionId']);
  if (item['type'] === 'content' && typeof item['content'] === 'string') return textPart(item['content']);
  return item;
}

/** A kind unknown to the schema. Never guessed, because auto-approval depends on it. */
export const toolKind: Deviation = {
  name: 'tool-kind',
  fix: (toolCall) =>
    typeof toolCall['kind'] === 'string' && !Object.hasOwn(TOOL_KINDS, toolCall['kind'])
      ? {...toolCall, kind: 'other'}
      : toolCall,
};

const NEAREST: Readonly<Record<string, acp.ToolCallStatus>> = {
  pending: 'pending',
  queued: 'pending',
  in_progress: 'in_progress',
  completed: 'completed',
  complete: 'completed',
  done: 'completed',
  success: 'completed',
  succeeded: 'completed',
  failed: 'failed',
  error: 'failed',
  errored: 'failed',
  rejected: 'failed',
  denied: 'failed',
  aborted: 'failed',
  cancelled: 'failed',
  canceled: 'failed',
};

/** What is said of these: version 2 has them. */
const SENT: Readonly<Record<string, 'paused' | 'cancelled'>> = {
  paused: 'paused',
  cancelled: 'cancelled',
  canceled: 'cancelled',
};

/** A status unknown to the schema; the SDK would drop it, and the call would have none. */
export const toolStatus: Deviation = {
  name: 'tool-status',
  fix(toolCall) {
    const {status} = toolCall;
    if (typeof status !== 'string') return toolCall;
    const nearest = Object.hasOwn(NEAREST, status) ? NEAREST[status] : 'in_progress';
    if (nearest === status) return toolCall;
    const sent = SENT[status];
    return {...(sent ? withSentStatus(toolCall, sent) : toolCall), status: nearest};
  },
};

/** A `tool_call` without a title, which would lose the whole update. Its name or kind is used instead. */
export const toolTitle: Deviation = {
  name: 'tool-title',
  fix(toolCall) {
    if (typeof toolCall['title'] === 'string') return toolCall;
    const title = [toolCall['name'], toolCall['kind']].find(
      (text) => typeof text === 'string' && text !== '',
    );
    return {...toolCall, title: title ?? UNTITLED};
  },
};

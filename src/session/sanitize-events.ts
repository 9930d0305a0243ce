import type * as acp from '@agentclientprotocol/sdk/unstable';
import {escapeHidden, escapeHiddenLine, escapeHiddenOnce, unescapeHidden} from '../text/hidden.ts';
import {sanitizeDeep} from '../text/sanitize.ts';
import {plainProse, plainTitle} from './labels/plain-title.ts';
import type {Entry} from './entries.ts';
import type {SessionEvent, SessionEventOf, Update, ImportedSubagent} from './events.ts';

/*
 * The only place where an agent's text is sanitized on its way into the state: afterwards no string in the state can control a terminal, except under these
 * keys. Prose is sanitized; what is approved or recorded (tool calls, requests, commands, decisions) is kept as an exact reading. Ids are sent back unchanged,
 * and not for display.
 */
const KEPT: ReadonlySet<string> = new Set([
  'toolCallId',
  'sessionId',
  'senderSessionId',
  'recipientSessionId',
  'messageId',
  'terminalId',
  'terminal_id',
  'planId',
  'compactionId',
  'cursorId',
  'optionId',
  'modeId',
  'currentModeId',
  'modelId',
  'currentModelId',
  'id',
  'value',
  'currentValue',
  // Compiled, never displayed.
  'pattern',
  // Not text: images and audio, and terminal output, which text/terminal-output.ts interprets.
  'data',
  'blob',
  // How a sign-in method is run.
  'args',
  'env',
]);

/** Sanitizes all text in an event; returns the same event if nothing needed it. */
export function sanitizeEvent(event: SessionEvent): SessionEvent {
  switch (event.type) {
    case 'session_update':
    case 'subagent_updated':
      return withPart(event, 'update', cleanUpdate(cutDepth(event.update)));
    case 'permission_requested':
      return cleanRequest(event);
    case 'permission_resolved':
    case 'permission_rule_offered':
    case 'permission_outdated':
    case 'terminal_created':
      return readExactly(event);
    case 'elicitation_requested':
    case 'elicitation_resolved':
      return readExactlyOnce(event);
    case 'imported':
      return cleanImport(event);
    // The user's own texts, for the agent: sanitized where they are drawn.
    case 'queue_changed':
    case 'custom_commands_changed':
    // Used as paths, not displayed.
    case 'folders_resolved':
      return event;
    case 'session_opened': {
      // The client's own folders: used as paths, not displayed as text.
      const {cwd, additionalDirectories} = event.session;
      return {...event, session: {...cleaned(event.session), cwd, additionalDirectories}};
    }
    default:
      return cleaned(event);
  }
}

function cleanUpdate(update: Update): Update {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      return withPart(update, 'content', cleanChunk(update.content));
    case 'tool_call':
    case 'tool_call_update':
      return cleanToolCall(update);
    case 'available_commands_update':
      return cleaned({...update, availableCommands: update.availableCommands.filter(hasCleanName)});
    case 'subagent_update':
      return cleaned(withPart(update, 'title', plainProse(update.title)));
    default:
      return cleaned(update);
  }
}

/** A chunk may end inside a character, so messages are sanitized when chunks are joined, in transcript/content.ts. */
function cleanChunk(block: acp.ContentBlock): acp.ContentBlock {
  return block.type === 'text' ? {...cleaned({...block, text: ''}), text: block.text} : cleaned(block);
}

function cleanRequest(event: SessionEventOf<'permission_requested'>): SessionEvent {
  const {request, asker, ...rest} = event;
  const cut = cutDepth(request);
  // acp-tui's own questions quote untrusted text that is already an exact reading.
  if (asker !== undefined) return {...readExactlyOnce({...rest, request: cut}), asker};
  const {toolCall, ...others} = cut;
  return {...readExactly(rest), request: {...readExactly(others), toolCall: cleanToolCall(toolCall)}};
}

/** An import is as untrusted as an agent; its tool calls are exact readings already. */
function cleanImport(event: SessionEventOf<'imported'>): SessionEvent {
  const {entries, subagents, ...rest} = cutDepth(event);
  return {
    ...cleaned(rest),
    entries: entries.map(cleanEntry),
    ...(subagents && {subagents: subagents.map(cleanSubagent)}),
  };
}

function cleanSubagent(subagent: ImportedSubagent): ImportedSubagent {
  const {title, entries} = subagent;
  return {...subagent, ...cleaned({title: plainProse(title)}), entries: entries.map(cleanEntry)};
}

function cleanEntry(entry: Entry): Entry {
  if (entry.type === 'tool_call') return withRaw({...entry, title: plainTitle(entry)}, escapeHiddenOnce);
  return cleaned(entry.type === 'subagent' ? {...entry, title: plainProse(entry.title)} : entry);
}

interface WithRaw {
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
}

function cleanToolCall<Call extends acp.ToolCallUpdate>(call: Call): Call {
  const title = plainTitle(call);
  return withRaw(title === call.title ? call : {...call, title}, escapeHidden);
}

/** Returns a tool call of the state as its agent sent it, for acting on it and for comparisons. */
export function unsanitizedToolCall<Call extends WithRaw>(call: Call): Call {
  return withRaw(call, unescapeHidden);
}

type Read = (text: string) => string;

/** In raw input and output every string is text, whatever its key. */
function withRaw<Call extends WithRaw>(call: Call, read: Read): Call {
  const {rawInput, rawOutput, ...rest} = call;
  return {
    ...readDeep(rest, read),
    rawInput: sanitizeDeep(rawInput, {read}),
    rawOutput: sanitizeDeep(rawOutput, {read}),
  } as Call;
}

/** Texts of changed files keep their line endings, which the diff shows. */
const FILE_TEXTS: ReadonlySet<string> = new Set(['oldText', 'newText']);

function readDeep<T>(value: T, read: Read): T {
  const ofLines: Read = (text) => text.split('\r\n').map(read).join('\r\n');
  return sanitizeDeep(value, {
    keep: KEPT,
    read: (text, key) => (FILE_TEXTS.has(key) ? ofLines(text) : read(text)),
  });
}

function readExactly<T>(value: T): T {
  return readDeep(value, escapeHidden);
}

function readExactlyOnce<T>(value: T): T {
  return readDeep(value, escapeHiddenOnce);
}

/** A command is sent by its name, so a name that cannot be displayed unchanged must not be offered. */
function hasCleanName({name}: acp.AvailableCommand): boolean {
  return escapeHiddenLine(name) === name;
}

function cleaned<T>(value: T): T {
  return sanitizeDeep(value, {keep: KEPT});
}

function withPart<Whole extends object, Key extends keyof Whole>(
  whole: Whole,
  key: Key,
  part: Whole[Key],
): Whole {
  return whole[key] === part ? whole : {...whole, [key]: part};
}

/** Maximum depth; a deeper value could exhaust the stack of recursive code (`JSON.stringify`). */
const DEEPEST = 100;

/** Replaces what is nested too deeply by "…"; returns the same value if nothing is. */
function cutDepth<T>(value: T): T {
  return (isTooDeep(value, DEEPEST) ? cut(value, DEEPEST) : value) as T;
}

/** Every update is checked, so that this allocates nothing. */
function isTooDeep(value: unknown, room: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (room === 0) return true;
  for (const key in value) if (isTooDeep((value as Record<string, unknown>)[key], room - 1)) return true;
  return false;
}

function cut(value: unknown, room: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (room === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => cut(item, room - 1));
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, cut(field, room - 1)]));
}

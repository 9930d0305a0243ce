import type * as acp from '@agentclientprotocol/sdk/unstable';
import {escapeHidden, escapeHiddenLine, escapeHiddenOnce, unescapeHidden} from '../text/hidden.ts';
import {sanitizeDeep} from '../text/sanitize.ts';
import type {Entry} from './entries.ts';
import type {SessionEvent, SessionEventOf, Update, ImportedSubagent} from './events.ts';

/*
 * Where an agent's text enters the state, and the only place where it is cleaned: afterwards no string in the state can
 * control a terminal, apart from what stands under these keys. Prose is sanitized; what is approved or recorded (tool
 * calls, requests, commands, decisions) is read exactly. Ids go back to the agent as they came, and are not for display.
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
  'optionId',
  'modeId',
  'currentModeId',
  'modelId',
  'currentModelId',
  'id',
  'value',
  'currentValue',
  // Compiled, not shown as it is.
  'pattern',
  // Not text: pictures and sound, and terminal output, which text/terminal-output.ts folds.
  'data',
  'blob',
  // How a sign-in method is run.
  'args',
  'env',
]);

/** Cleans all text in an event; gives the same event back when there was nothing to clean. */
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
    case 'session_opened': {
      // Our own folders: paths that we use, not text.
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
    default:
      return cleaned(update);
  }
}

/** The text of a message comes in pieces that may end within a character: it is cleaned as it is joined, in streamed-text.ts. */
function cleanChunk(block: acp.ContentBlock): acp.ContentBlock {
  return block.type === 'text' ? {...cleaned({...block, text: ''}), text: block.text} : cleaned(block);
}

function cleanRequest(event: SessionEventOf<'permission_requested'>): SessionEvent {
  const {request, asker, ...rest} = event;
  const cut = cutDepth(request);
  // What we ask ourselves holds words of others that were read exactly where our own were put around them.
  if (asker !== undefined) return {...readExactlyOnce({...rest, request: cut}), asker};
  const {toolCall, ...others} = cut;
  return {...readExactly(rest), request: {...readExactly(others), toolCall: cleanToolCall(toolCall)}};
}

/** What was exported elsewhere is as foreign as what an agent sends; its tool calls were read exactly before. */
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
  return {...subagent, title: title && cleaned({title}).title, entries: entries.map(cleanEntry)};
}

function cleanEntry(entry: Entry): Entry {
  return entry.type === 'tool_call' ? withRaw(entry, escapeHiddenOnce) : cleaned(entry);
}

interface WithRaw {
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
}

function cleanToolCall<Call extends WithRaw>(call: Call): Call {
  return withRaw(call, escapeHidden);
}

/** A tool call of the state as its agent sent it: for what acts on it, and what is compared with it. */
export function unsanitizedToolCall<Call extends WithRaw>(call: Call): Call {
  return withRaw(call, unescapeHidden);
}

type Read = (text: string) => string;

/** Raw input and output are the agent's own: there every string is text, whatever its key. */
function withRaw<Call extends WithRaw>(call: Call, read: Read): Call {
  const {rawInput, rawOutput, ...rest} = call;
  return {
    ...readDeep(rest, read),
    rawInput: sanitizeDeep(rawInput, {read}),
    rawOutput: sanitizeDeep(rawOutput, {read}),
  } as Call;
}

/** The texts of a changed file keep the ends of their lines, which the diff shows. */
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

/** A command is sent by its name; one whose name cannot be shown as it is must not be offered. */
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

/** Deeper than this nothing is read, and a hostile depth would exhaust the stack of whoever walks it (`JSON.stringify`). */
const DEEPEST = 100;

/** Replaces what is nested too deeply by "…". Parts in which nothing changed keep their reference. */
function cutDepth<T>(value: T): T {
  return cut(value, 0) as T;
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return '…';
  if (Array.isArray(value)) {
    const items = value.map((item) => cut(item, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const fields = Object.entries(value).map(([key, field]) => [key, cut(field, depth + 1)] as const);
  const same = fields.every(([key, field]) => field === (value as Record<string, unknown>)[key]);
  return same ? value : Object.fromEntries(fields);
}

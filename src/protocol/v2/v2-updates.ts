import {withAppended, withCleared, withReplacement} from '../../session/transcript/patches.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {commands, listOf, toolCall, toolContent, type KnownCall} from './v2-shapes.ts';
import {optionsOfVersion1} from './v2-config-options.ts';
import {asTyped, skillNames} from './v2-skills.ts';
import {createTerminals} from './v2-terminals.ts';

/** Translates the updates of a session, which version 2 sends as patches of earlier ones. What is malformed is passed on as it is: version 1's reader says so. */
export interface SessionUpdates {
  /** Returns the equivalent version 1 updates. */
  translate(update: JsonObject): readonly object[];
  /** What is known of a tool call. */
  callOf(toolCallId: string): KnownCall;
  /** The names of the skills among the commands. */
  skills(): ReadonlySet<string>;
  /** Returns pending updates of terminals that no tool call has named, and forgets the tool calls. Call it when the agent is idle. */
  flush(): readonly object[];
}

export function createSessionUpdates(): SessionUpdates {
  const messages = createMessages();
  const terminals = createTerminals();
  const calls = createToolCalls(terminals);
  let skills: ReadonlySet<string> = new Set();

  return {
    translate(update) {
      switch (update['sessionUpdate']) {
        case 'user_message_chunk':
        case 'agent_message_chunk':
        case 'agent_thought_chunk':
          return [messages.chunk({...update, content: asTyped(update['content'])})];
        case 'user_message':
        case 'agent_message':
        case 'agent_thought':
          return messages.whole(update);
        // Version 1's, which some agents still send.
        case 'tool_call':
        case 'tool_call_update':
          return calls.patch(update);
        case 'tool_call_content_chunk':
          return calls.append(update);
        case 'terminal_update':
          return terminals.update(update);
        case 'terminal_output_chunk':
          return terminals.output(update);
        case 'available_commands_update':
          skills = skillNames(update['availableCommands']);
          return [{...update, availableCommands: commands(update['availableCommands'])}];
        case 'config_option_update':
          return [{...update, configOptions: optionsOfVersion1(update['configOptions'])}];
        default:
          return [update];
      }
    },
    callOf: calls.of,
    skills: () => skills,
    flush() {
      calls.clear();
      return terminals.flush();
    },
  };
}

/** Translates tool calls. */
function createToolCalls(terminals: ReturnType<typeof createTerminals>) {
  const calls = new Map<string, {title?: string; content?: unknown[]}>();
  const ended = new Set<string>();

  function knownCall(id: string) {
    const known = calls.get(id) ?? {};
    calls.set(id, known);
    return known;
  }

  function updated(patch: JsonObject, content: readonly unknown[] | undefined, added: readonly unknown[]) {
    const {toolCallId, sessionUpdate} = patch;
    const call = content ? {...patch, content} : patch;
    const kind = sessionUpdate === 'tool_call' ? 'tool_call' : 'tool_call_update';
    const update = {...withCleared(toolCall(call)), sessionUpdate: kind};
    return [update, ...added.flatMap((part) => terminals.attach(String(toolCallId), part))];
  }

  return {
    patch(patch: JsonObject): readonly object[] {
      const {toolCallId, title, content, status} = patch;
      const list = listOf(content);
      if (typeof toolCallId !== 'string') return [patch];
      // Another call with the same ID has nothing of the earlier one.
      const isBegun = status === 'pending' || status === 'in_progress';
      if (isBegun && ended.delete(toolCallId)) calls.delete(toolCallId);
      if (status === 'completed' || status === 'failed' || status === 'cancelled') ended.add(toolCallId);
      const known = knownCall(toolCallId);
      if (list) known.content = [...list];
      if (title !== undefined) known.title = typeof title === 'string' ? title : '';
      return updated(patch, list?.flatMap(toolContent), list ?? []);
    },
    /** Translates only what is new. */
    append(chunk: JsonObject): readonly object[] {
      const {toolCallId, content, _meta} = chunk;
      if (typeof toolCallId !== 'string' || !isJsonObject(content)) return [chunk];
      (knownCall(toolCallId).content ??= []).push(content);
      const added = toolContent(content);
      const isShown = added.length > 0;
      return updated(withAppended({toolCallId, _meta}), isShown ? added : undefined, [content]);
    },
    of: (toolCallId: string): KnownCall => calls.get(toolCallId) ?? {},
    /** Forgets the calls that have ended: others go on, and may be asked about, while the agent is idle. */
    clear(): void {
      for (const id of ended) calls.delete(id);
      ended.clear();
    },
  };
}

/** The content of a message so far. */
interface SaidMessage {
  text: string;
  /** Its content besides text, as JSON. */
  readonly others: string[];
}

/** Number of messages whose content is kept: what a whole message continues is among the newest. */
const MESSAGES = 64;

/** Converts whole messages to chunks with what is new in them. A message that changes what was said replaces it. */
function createMessages() {
  /** Undefined for older ones, of which any whole message is a replacement. */
  const messages = new Map<string, SaidMessage | undefined>();
  const kept: string[] = [];

  function remember(key: string | undefined, message: SaidMessage): void {
    if (key === undefined) return;
    if (messages.get(key) === undefined) kept.push(key);
    messages.set(key, message);
    const oldest = kept.length > MESSAGES ? kept.shift() : undefined;
    if (oldest !== undefined) messages.set(oldest, undefined);
  }

  return {
    chunk(update: JsonObject): object {
      const {messageId, content, sessionUpdate} = update;
      const key = keyOf(String(sessionUpdate).replace(/_chunk$/, ''), messageId);
      const message = key === undefined ? undefined : messages.get(key);
      if (message) add(message, content);
      else if (key !== undefined && !messages.has(key)) remember(key, saidBy([content]));
      return update;
    },
    whole(update: JsonObject): readonly object[] {
      const {messageId, content, sessionUpdate, ...others} = update;
      const blocks = listOf(content)?.map(asTyped);
      if (!blocks) return [];
      const key = keyOf(String(sessionUpdate), messageId);
      const isKnown = key !== undefined && messages.has(key);
      const message = key === undefined ? undefined : messages.get(key);
      const now = saidBy(blocks);
      const rest = isKnown ? message && restOf(message, now) : blocks;
      remember(key, now);
      const chunk = {...others, sessionUpdate: `${String(sessionUpdate)}_chunk`, messageId};
      if (rest) return rest.map((block) => Object.assign({}, chunk, {content: block}));
      const [first = {type: 'text', text: ''}, ...more] = blocks;
      return [
        withReplacement({...chunk, content: first}),
        ...more.map((block) => Object.assign({}, chunk, {content: block})),
      ];
    },
  };
}

/** Messages of different kinds may have the same ID. One without an ID is always new. */
function keyOf(kind: string, messageId: unknown): string | undefined {
  return typeof messageId === 'string' ? `${kind} ${messageId}` : undefined;
}

function saidBy(blocks: readonly unknown[]): SaidMessage {
  const message: SaidMessage = {text: '', others: []};
  for (const block of blocks) add(message, block);
  return message;
}

/** Returns what a message has said since; undefined if it has changed what it said before. Space at its end is no change. */
function restOf(message: SaidMessage, now: SaidMessage): readonly object[] | undefined {
  if (message.others.join() !== now.others.join()) return undefined;
  if (message.text.trimEnd() === now.text.trimEnd()) return [];
  return now.text.startsWith(message.text)
    ? [{type: 'text', text: now.text.slice(message.text.length)}]
    : undefined;
}

function add(message: SaidMessage, content: unknown): void {
  if (isJsonObject(content) && content['type'] === 'text' && typeof content['text'] === 'string')
    message.text += content['text'];
  else message.others.push(JSON.stringify(content));
}

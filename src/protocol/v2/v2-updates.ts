import type * as v2 from '@agentclientprotocol/sdk/experimental/v2';
import * as zod from '../../../node_modules/@agentclientprotocol/sdk/dist/v2/schema/zod.gen.js';
import {commands, configOptions, toolCall} from './v2-shapes.ts';
import {createTerminals} from './v2-terminals.ts';

/** Translates the updates of a session, which version 2 sends as patches of earlier ones. */
export interface SessionUpdates {
  /** Returns the equivalent version 1 updates. */
  translate(update: v2.SessionUpdate): readonly object[];
  /** The content of a tool call so far. */
  contentOf(toolCallId: string): readonly v2.ToolCallContent[];
  /** Returns pending updates of terminals that no tool call has named. Call it when the agent is idle. */
  flush(): readonly object[];
}

type Known<Kind extends string> = Extract<v2.SessionUpdate, {sessionUpdate: Kind}>;

/** Returns the parameters of a `session/update`; undefined if they violate the schema. */
export function readUpdate(params: unknown): v2.UpdateSessionNotification | undefined {
  const parsed = zod.zUpdateSessionNotification.safeParse(params);
  return parsed.success ? (parsed.data as unknown as v2.UpdateSessionNotification) : undefined;
}

export function createSessionUpdates(): SessionUpdates {
  const messages = createMessages();
  const terminals = createTerminals();
  const contents = new Map<string, readonly v2.ToolCallContent[]>();

  function patchToolCall(patch: v2.ToolCallUpdate): readonly object[] {
    if (patch.content !== undefined) contents.set(patch.toolCallId, patch.content ?? []);
    const update = {...toolCall(patch), sessionUpdate: 'tool_call_update'};
    return [
      update,
      ...(patch.content ?? []).flatMap((content) => terminals.attach(patch.toolCallId, content)),
    ];
  }

  return {
    translate(update) {
      switch (update.sessionUpdate) {
        case 'user_message_chunk':
        case 'agent_message_chunk':
        case 'agent_thought_chunk':
          return [messages.chunk(update as v2.ContentChunk)];
        case 'user_message':
        case 'agent_message':
        case 'agent_thought':
          return messages.whole(update as Known<'agent_message'>);
        case 'tool_call_update':
          return patchToolCall(update as v2.ToolCallUpdate);
        case 'tool_call_content_chunk': {
          const {toolCallId, content} = update as v2.ToolCallContentChunk;
          return patchToolCall({toolCallId, content: [...(contents.get(toolCallId) ?? []), content]});
        }
        case 'terminal_update':
          return terminals.update(update as v2.TerminalUpdate);
        case 'terminal_output_chunk':
          return terminals.output(update as v2.TerminalOutputChunk);
        case 'available_commands_update': {
          const {availableCommands} = update as v2.AvailableCommandsUpdate;
          return [{...update, availableCommands: commands(availableCommands)}];
        }
        case 'config_option_update':
          return [{...update, configOptions: configOptions((update as v2.ConfigOptionUpdate).configOptions)}];
        case 'state_update':
          return [];
        default:
          return [update];
      }
    },
    contentOf: (toolCallId) => contents.get(toolCallId) ?? [],
    flush: () => terminals.flush(),
  };
}

/** The content of a message so far. */
interface SaidMessage {
  text: string;
  /** Its content besides text, as JSON. */
  readonly others: string[];
  /** How often it was replaced. */
  version: number;
}

/** Number of messages kept: a replaced one is among the newest. */
const MESSAGES = 64;

/** Converts whole messages to chunks with what is new in them. A message that changes what was said becomes a new one. */
function createMessages() {
  const messages = new Map<string, SaidMessage>();

  function remember(messageId: string, message: SaidMessage): void {
    messages.set(messageId, message);
    const [oldest] = messages.keys();
    if (messages.size > MESSAGES && oldest !== undefined) messages.delete(oldest);
  }

  return {
    chunk(update: v2.ContentChunk): object {
      const {messageId, content} = update;
      const message = messages.get(messageId) ?? {text: '', others: [], version: 0};
      add(message, content);
      if (!messages.has(messageId)) remember(messageId, message);
      return {...update, messageId: shownId(messageId, message)};
    },
    whole(update: Known<'agent_message'>): readonly object[] {
      const {messageId, content, sessionUpdate, ...others} = update;
      if (!content) return [];
      const message = messages.get(messageId);
      const now: SaidMessage = {text: '', others: [], version: message?.version ?? 0};
      for (const block of content) add(now, block);
      const rest = message ? restOf(message, now) : content;
      if (!rest) now.version++;
      remember(messageId, now);
      const chunk = {...others, sessionUpdate: `${sessionUpdate}_chunk`, messageId: shownId(messageId, now)};
      return (rest ?? content).map((block) => Object.assign({}, chunk, {content: block}));
    },
  };
}

function shownId(messageId: string, {version}: SaidMessage): string {
  return version === 0 ? messageId : `${messageId}#${version}`;
}

/** Returns what a message has said since; undefined if it has changed what it said before. */
function restOf(message: SaidMessage, now: SaidMessage): readonly v2.ContentBlock[] | undefined {
  if (message.others.join() !== now.others.join() || !now.text.startsWith(message.text)) return undefined;
  const text = now.text.slice(message.text.length);
  return text === '' ? [] : [{type: 'text', text}];
}

function add(message: SaidMessage, content: v2.ContentBlock): void {
  if (content.type === 'text' && typeof content.text === 'string') message.text += content.text;
  else message.others.push(JSON.stringify(content));
}

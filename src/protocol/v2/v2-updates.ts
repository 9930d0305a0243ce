import {withCleared, withReplacement} from '../../session/transcript/patches.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {commands, configOptions, listOf, toolCall} from './v2-shapes.ts';
import {asTyped, skillNames} from './v2-skills.ts';
import {createTerminals} from './v2-terminals.ts';

/** Translates the updates of a session, which version 2 sends as patches of earlier ones. What is malformed is passed on as it is: version 1's reader says so. */
export interface SessionUpdates {
  /** Returns the equivalent version 1 updates. */
  translate(update: JsonObject): readonly object[];
  /** The content of a tool call so far. */
  contentOf(toolCallId: string): readonly unknown[];
  /** The names of the skills among the commands. */
  skills(): ReadonlySet<string>;
  /** Returns pending updates of terminals that no tool call has named. Call it when the agent is idle. */
  flush(): readonly object[];
}

export function createSessionUpdates(): SessionUpdates {
  const messages = createMessages();
  const terminals = createTerminals();
  const contents = new Map<string, readonly unknown[]>();
  let skills: ReadonlySet<string> = new Set();

  function patchToolCall(patch: JsonObject): readonly object[] {
    const {toolCallId, content} = patch;
    const list = listOf(content);
    if (typeof toolCallId !== 'string') return [patch];
    if (list) contents.set(toolCallId, list);
    const update = {...withCleared(toolCall(patch)), sessionUpdate: 'tool_call_update'};
    return [update, ...(list ?? []).flatMap((part) => terminals.attach(toolCallId, part))];
  }

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
        case 'tool_call_update':
          return patchToolCall(update);
        case 'tool_call_content_chunk': {
          const {toolCallId, content, _meta} = update;
          if (typeof toolCallId !== 'string' || !isJsonObject(content)) return [update];
          return patchToolCall({toolCallId, _meta, content: [...(contents.get(toolCallId) ?? []), content]});
        }
        case 'terminal_update':
          return terminals.update(update);
        case 'terminal_output_chunk':
          return terminals.output(update);
        case 'available_commands_update':
          skills = skillNames(update['availableCommands']);
          return [{...update, availableCommands: commands(update['availableCommands'])}];
        case 'config_option_update':
          return [{...update, configOptions: configOptions(update['configOptions'])}];
        default:
          return [update];
      }
    },
    contentOf: (toolCallId) => contents.get(toolCallId) ?? [],
    skills: () => skills,
    flush: () => terminals.flush(),
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
  const messages = new Map<unknown, SaidMessage | undefined>();
  const kept: unknown[] = [];

  function remember(messageId: unknown, message: SaidMessage): void {
    if (messages.get(messageId) === undefined) kept.push(messageId);
    messages.set(messageId, message);
    if (kept.length > MESSAGES) messages.set(kept.shift(), undefined);
  }

  return {
    chunk(update: JsonObject): object {
      const {messageId, content} = update;
      const message = messages.get(messageId);
      if (message) add(message, content);
      else if (!messages.has(messageId)) remember(messageId, saidBy([content]));
      return update;
    },
    whole(update: JsonObject): readonly object[] {
      const {messageId, content, sessionUpdate, ...others} = update;
      const blocks = listOf(content)?.map(asTyped);
      if (!blocks) return [];
      const isKnown = messages.has(messageId);
      const message = messages.get(messageId);
      const now = saidBy(blocks);
      const rest = isKnown ? message && restOf(message, now) : blocks;
      remember(messageId, now);
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

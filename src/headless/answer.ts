import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHidden} from '../session/transcript/content.ts';
import type {SessionEvent} from '../session/events.ts';
import type {SessionState} from '../session/state.ts';
import {findMessage} from '../session/transcript/transcript.ts';

/** A piece of the answer: which message it belongs to (counted from 1), and its raw text. */
export interface AnswerPart {
  readonly message: number;
  readonly messageId: string | null;
  readonly text: string;
}

/**
 * The raw text of the agent's messages between the prompt and its response. Which messages there are is the state's to say; it holds
 * their text cleaned for a screen, and results are printed as they came.
 */
export interface Answer {
  /** Takes one event with the state after it; returns the text that it adds, if it adds any. */
  onEvent(event: SessionEvent, state: SessionState): AnswerPart | undefined;
  /** What was said, in the order in which it began, trimmed of empty lines around it; messages that say nothing are left out. */
  messages(): string[];
  /** The message that was added to last, whole: the ids of messages may interleave. */
  lastMessage(): string | undefined;
}

interface Message {
  readonly number: number;
  text: string;
}

export function createAnswer(): Answer {
  /** By their place in the transcript. */
  const messages = new Map<number, Message>();
  let newest: Message | undefined;

  function add({content, messageId}: acp.ContentChunk, state: SessionState): AnswerPart | undefined {
    const text = spokenText(content);
    if (text === undefined || text === '') return undefined;
    const place = findMessage(state, 'agent_message', messageId ?? undefined);
    const message = messages.get(place) ?? {number: messages.size + 1, text: ''};
    messages.set(place, message);
    message.text += text;
    if (text.trim() !== '') newest = message;
    return {message: message.number, messageId: messageId ?? null, text};
  }

  return {
    onEvent(event, state) {
      if (state.turn.kind === 'idle' || event.type !== 'session_update') return undefined;
      const {update} = event;
      return update.sessionUpdate === 'agent_message_chunk' ? add(update, state) : undefined;
    },
    messages: () => Array.from(messages.values(), textOf).filter((text) => text !== ''),
    lastMessage: () => newest && textOf(newest),
  };
}

function textOf({text}: Message): string {
  return trimMessage(text);
}

/** The text of a content block as a reader of plain text gets it; undefined for what has none, or is not for the user. */
export function spokenText(content: acp.ContentBlock): string | undefined {
  if (isHidden(content)) return undefined;
  if (content.type === 'text') return content.text;
  if (content.type === 'resource_link') return `[${content.title ?? content.name}](${content.uri})`;
  if (content.type === 'resource' && 'text' in content.resource) return content.resource.text;
  return undefined;
}

const EMPTY_LINES_BEFORE = /^(?:[ \t]*\r?\n)+/;

/** A message without the empty lines before it and the space after it. */
export function trimMessage(text: string): string {
  return text.trimEnd().replace(EMPTY_LINES_BEFORE, '');
}

/**
 * The same as `trimMessage` for each message and an empty line between them, but as it streams: holds space back until
 * something follows it.
 */
export function createMessageStream(write: (text: string) => void): MessageStream {
  let current = 0;
  let written = 0;
  let held = '';
  let brokenLines = 0;

  return {
    push({message, text}) {
      if (message !== current) {
        current = message;
        held = '';
      }
      const all = held + text;
      const visible = all.trimEnd();
      if (visible === '') {
        held = all;
        return;
      }
      const starts = written !== message;
      if (starts && written > 0) write('\n\n'.slice(brokenLines));
      write(starts ? visible.replace(EMPTY_LINES_BEFORE, '') : visible);
      written = message;
      brokenLines = 0;
      held = all.slice(visible.length);
    },
    breakLine() {
      if (written > 0 && brokenLines === 0) {
        write('\n');
        brokenLines = 1;
      }
    },
    end() {
      if (written > 0 && brokenLines === 0) write('\n');
    },
  };
}

interface MessageStream {
  push(part: AnswerPart): void;
  /** Ends the line that is being written, for something else that is about to be shown on the same terminal. */
  breakLine(): void;
  /** One newline at the end, when there was anything. */
  end(): void;
}

import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHidden} from '../../session/transcript/content.ts';
import {isReplacement} from '../../session/transcript/patches.ts';
import type {SessionEvent} from '../../session/events.ts';
import type {SessionState} from '../../session/state.ts';
import {findMessage} from '../../session/transcript/transcript.ts';

/** A piece of the answer: the number of its message (from 1), and its raw text. */
export interface AnswerPart {
  readonly message: number;
  readonly messageId: string | null;
  readonly text: string;
  /** Set if its message begins anew with it: the agent has taken back what it said in it before. */
  readonly replaces?: true;
}

/**
 * The raw text of the agent's messages between the prompt and its response. The state determines the messages, but has their text sanitized, and results are
 * printed unchanged.
 */
export interface RawAnswer {
  /** Handles an event with the state after it; returns the text that it adds, if any. */
  onEvent(event: SessionEvent, state: SessionState): AnswerPart | undefined;
  /** Returns the messages in order of their start, without surrounding blank lines; empty messages are left out. */
  messages(): string[];
  /** Returns the complete message that was added to last: messages may interleave. */
  lastMessage(): string | undefined;
}

interface Message {
  readonly number: number;
  text: string;
}

export function createAnswer(): RawAnswer {
  /** By their index in the transcript. */
  const messages = new Map<number, Message>();
  let newest: Message | undefined;
  let count = 0;

  function add(chunk: acp.ContentChunk, state: SessionState): AnswerPart | undefined {
    const {content, messageId} = chunk;
    const text = spokenText(content) ?? (isReplacement(chunk) ? '' : undefined);
    const place = findMessage(state, 'agent_message', messageId ?? undefined);
    const known = messages.get(place);
    const replaces = known !== undefined && known.text !== '' && isReplacement(chunk);
    if (text === undefined || (text === '' && !replaces)) return undefined;
    const message = known ?? {number: ++count, text: ''};
    messages.set(place, message);
    message.text = replaces ? text : message.text + text;
    if (text.trim() !== '') newest = message;
    return {message: message.number, messageId: messageId ?? null, text, ...(replaces && {replaces})};
  }

  return {
    onEvent(event, state) {
      // A prompt that is sent again is answered anew.
      if (event.type === 'prompt_started') {
        messages.clear();
        newest = undefined;
      }
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

/** Returns the text of a content block; undefined if it has none, or is not meant for the user. */
export function spokenText(content: acp.ContentBlock): string | undefined {
  if (isHidden(content)) return undefined;
  if (content.type === 'text') return content.text;
  if (content.type === 'resource_link') return `[${content.title ?? content.name}](${content.uri})`;
  if (content.type === 'resource' && 'text' in content.resource) return content.resource.text;
  return undefined;
}

const EMPTY_LINES_BEFORE = /^(?:[ \t]*\r?\n)+/;

/** Removes blank lines before a message and whitespace after it. */
export function trimMessage(text: string): string {
  return text.trimEnd().replace(EMPTY_LINES_BEFORE, '');
}

/** Half of a line end, or of a character: the other half may be in the next chunk. */
const HALF = /[\r\ud800-\udbff]$/;

/**
 * Like `trimMessage` for each message, with an empty line in between, but streaming: whitespace is held back until text follows. `clean` makes text fit for
 * where it is written; what it returns stays as it is.
 */
export function createMessageStream(write: (text: string) => void, clean = (text: string) => text) {
  let written = 0;
  /** What is held back, by message. */
  const held = new Map<number, string>();
  let brokenLines = 0;
  /** True until text follows of a message that begins anew. */
  let again = false;

  return {
    push({message, text, replaces}: AnswerPart): void {
      if (replaces) again = true;
      const joined = replaces ? text : (held.get(message) ?? '') + text;
      const whole = HALF.test(joined) ? joined.slice(0, -1) : joined;
      const all = clean(whole);
      const visible = all.trimEnd();
      const rest = all.slice(visible.length) + joined.slice(whole.length);
      const starts = again || written !== message;
      if (visible !== '') {
        if (starts && written > 0) write('\n\n'.slice(brokenLines));
        write(starts ? visible.replace(EMPTY_LINES_BEFORE, '') : visible);
        if (starts) held.clear();
        written = message;
        again = false;
        brokenLines = 0;
      }
      held.set(message, rest);
    },
    /** Ends an incomplete line before other output on the same terminal. */
    breakLine(): void {
      if (written > 0 && brokenLines === 0) {
        write('\n');
        brokenLines = 1;
      }
    },
    /** Writes a final newline, if there was any output. */
    end(): void {
      if (written > 0 && brokenLines === 0) write('\n');
    },
  };
}

import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isPasted} from '../content/pasted-text.ts';
import {sanitize} from '../../text/sanitize.ts';
import type {MessageEntry} from '../entries.ts';

/**
 * Appends a streamed block to a list. Adjacent text with the same annotations is merged into one block; its text is a rope, so that a chunk costs no more in a
 * long message than in a short one.
 */
export function appendBlock(
  content: readonly acp.ContentBlock[],
  block: acp.ContentBlock,
): readonly acp.ContentBlock[] {
  const last = content.at(-1);
  if (last?.type !== 'text' || block.type !== 'text' || !sameAnnotations(last, block))
    return [...content, block];
  if (block.text === '') return content;
  return [...content.slice(0, -1), {...last, text: last.text + block.text}];
}

/** Returns a text as a part of a tool call's content. */
export function textPart(text: string) {
  return {type: 'content', content: {type: 'text', text}} as const satisfies acp.ToolCallContent;
}

/** Returns the text of a part of a tool call's content; undefined if it is something else. */
export function textOfPart(part: acp.ToolCallContent | undefined): string | undefined {
  return part?.type === 'content' && part.content.type === 'text' ? part.content.text : undefined;
}

/** True for content meant for the model only ("Content", annotations): stored, but not displayed. */
export function isHidden(block: acp.ContentBlock): boolean {
  const audience = block.annotations?.audience;
  return (
    audience !== undefined &&
    audience !== null &&
    audience.length > 0 &&
    audience.every((role) => role === 'assistant')
  );
}

/** Returns the text blocks of a list that are displayed. */
export function visibleText(content: readonly acp.ContentBlock[]): string {
  let text = '';
  for (const block of content) if (block.type === 'text' && !isHidden(block)) text += block.text;
  return text;
}

/** Returns what was typed of a prompt, without what acp-tui attached to it; of a prompt with attachments only, their text. */
export function promptText(content: readonly acp.ContentBlock[]): string {
  return visibleText(content.filter((block) => !isAttached(block))) || visibleText(content);
}

/** Returns the text of a prompt to edit, with what was attached below what was typed. */
export function wholePromptText(content: readonly acp.ContentBlock[]): string {
  const attached = content.filter(isAttached).map((block) => visibleText([block]));
  const typed = visibleText(content.filter((block) => !isAttached(block)));
  return [typed, ...attached].filter((text) => text !== '').join('\n\n');
}

/** True for a block that acp-tui labels, for the transcript: a command's output, a comment, a note. */
function isAttached(block: acp.ContentBlock): boolean {
  return !isPasted(block) && Object.keys(block._meta ?? {}).some((key) => key.startsWith('acp-tui/'));
}

function sameAnnotations(
  {annotations: one}: acp.TextContent,
  {annotations: other}: acp.TextContent,
): boolean {
  return one && other ? JSON.stringify(one) === JSON.stringify(other) : !one && !other;
}

type Streamed = Pick<MessageEntry, 'content' | 'carry'>;

/** Appends a content block; text is sanitized here, together with the text before it. */
export function appendContent(before: Streamed, block: acp.ContentBlock): Streamed {
  if (block.type !== 'text') return {content: [...flushed(before), block], carry: undefined};
  const last = before.content.at(-1);
  const isContinued = last?.type === 'text' && sameAnnotations(last, block);
  const {text, carry} = cleanPiece((isContinued && before.carry) || '', block.text);
  const content = appendBlock(isContinued ? before.content : flushed(before), {...block, text});
  return {content, carry: carry || undefined};
}

/** Returns the message after its last chunk. */
export function completeMessage(entry: MessageEntry): MessageEntry {
  return {...entry, content: flushed(entry), carry: undefined, complete: true};
}

/** Text that was held back as incomplete is complete after all. */
function flushed({content, carry}: Streamed): readonly acp.ContentBlock[] {
  const last = content.at(-1);
  if (carry === undefined || last?.type !== 'text') return content;
  return appendBlock(content, {...last, text: sanitize(carry)});
}

/**
 * Text at the end of a chunk that may continue in the next one: a character outside the BMP, a flag, a line break, a control sequence. The payload of a
 * sequence ends where `sanitize` ends it.
 */
const UNFINISHED = new RegExp(
  [
    '(?<!\r)\r+',
    '[\ud800-\udbff]',
    '\ud83c\udff4(?:\udb40[\udc00-\udfff])*\udb40?',
    String.raw`\x1b[ -/]*`,
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*`,
    String.raw`(?:\x1b\]|\x9d)[^\x00-\x1f\x7f-\x9f]*\x1b?`,
    String.raw`(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*\x1b?`,
  ]
    .map((beginning) => `(?:${beginning})$`)
    .join('|'),
);

/** A longer sequence is not one; waiting for its end would hide text and cost more with every chunk. */
const MAX_CARRY_LENGTH = 1024;

/** Joined text, as far as it is final. */
interface StreamedText {
  readonly text: string;
  /** Raw text that the next chunk continues. */
  readonly carry: string;
}

/** Sanitizes one chunk of a stream, so that the result does not depend on where the agent split it. */
function cleanPiece(carry: string, piece: string): StreamedText {
  const raw = carry + piece;
  const start = raw.search(UNFINISHED);
  if (start === -1 || raw.length - start > MAX_CARRY_LENGTH) return {text: sanitize(raw), carry: ''};
  return {text: sanitize(raw.slice(0, start)), carry: raw.slice(start)};
}

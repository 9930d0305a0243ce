import type * as acp from '@agentclientprotocol/sdk/unstable';
import {attachedLabel} from '../../src/session/queue/attachments.ts';
import type {
  UserMessageEntry,
  AgentMessageEntry,
  AgentThoughtEntry,
  SessionMessageEntry,
} from '../../src/session/entries.ts';
import {attachmentLabel} from '../../src/session/labels/labels.ts';
import {commentIn, commentPlace, isCommentedHunk} from '../../src/session/content/comment-blocks.ts';
import type {SentComment} from '../../src/session/content/sent-comment.ts';
import {withPlaceholders} from '../../src/session/content/pasted-text.ts';
import {memoize} from '../../src/session/memoize.ts';
import {messageText} from '../../src/session/selectors.ts';
import {participants, subagentName} from '../../src/session/subagents/names.ts';
import {isHidden} from '../../src/session/transcript/content.ts';
import {duration} from '../../src/text/format.ts';
import {plainLines, plainWords} from '../../src/text/markdown/plain.ts';
import {createBlockSplitter} from '../../src/text/markdown/splitter.ts';
import type {Block} from '../../src/text/markdown/style.ts';
import {sanitize, sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {taskOutputIfReady} from '../../src/worker/background.ts';
import type {Theme} from '../theme/theme.tsx';
import {narrow, wrapHead, wrapHanging, indent, onSurface} from '../layout/lines.ts';
import {rowsOfPicture} from '../pictures/picture.ts';
import {rowsOfAttachment} from '../tool-call/contents.ts';
import type {BlockChunk} from './chunks.ts';

/** A longer prompt is folded in the chat. */
const MAX_PROMPT_LINES = 40;

/** Returns the rows of a user message with a bar and a background: landmarks when scrolling. */
export function rowsOfUserMessage(entry: UserMessageEntry, theme: Theme): string[] {
  const inner = narrow(theme);
  const lines = entry.content
    .filter((block) => !isHidden(block) && !isCommentedHunk(block))
    .flatMap((block) => rowsOfOwnBlock(block, inner));
  const bar = theme.paint.accent(theme.symbols.user);
  if (theme.isLinear) return [`${bar} ${lines.join('\n')}`];
  return onSurface(
    lines.map((line) => `${bar} ${theme.paint.user(line)}`.trimEnd()),
    theme,
  );
}

function rowsOfOwnBlock(block: acp.ContentBlock, theme: Theme): readonly string[] {
  const comment = commentIn(block);
  if (comment) return rowsOfComment(comment, theme);
  const attached = attachedLabel(block);
  if (attached !== undefined) return [truncate(`[${sanitizeLine(attached)}]`, theme.columns)];
  if (block.type === 'text') {
    const text = theme.extent === 'folded' ? withPlaceholders(block) : block.text;
    return wrapHead(text.trimEnd(), MAX_PROMPT_LINES, theme);
  }
  const name = theme.paint.link(truncate(attachmentLabel(block, theme.cwd), theme.columns));
  return [name, ...rowsOfPicture(block, theme)];
}

/** Returns the rows of a sent comment: ticked if the lines that it is about have changed. */
function rowsOfComment(comment: SentComment, theme: Theme): readonly string[] {
  const {symbols, paint} = theme;
  const [sign, remark] = comment.hasChanged
    ? [symbols.done, ` ${symbols.dot} changed since`]
    : [symbols.pending, ''];
  const quoted = comment.quote.map((line) => paint.dim(truncate(sanitizeLine(line), narrow(theme).columns)));
  const text = wrapHead(sanitize(comment.text), MAX_PROMPT_LINES, narrow(theme));
  return [
    ...wrapHanging(sign, `${sanitizeLine(commentPlace(comment))}${remark}`, theme),
    ...indent([...quoted, ...text]),
  ];
}

/** Returns the rows of an agent message as Markdown; while it streams, live.ts draws it block by block. */
export function rowsOfAgentMessage(entry: AgentMessageEntry, theme: Theme): string[] {
  return rowsOfContentBlocks(entry.content, theme);
}

/** Returns the rows of content blocks: text as Markdown, everything else as a label. */
export function rowsOfContentBlocks(content: readonly acp.ContentBlock[], theme: Theme): string[] {
  const lines: string[] = [];
  for (const block of content) {
    if (isHidden(block)) continue;
    if (lines.length > 0) lines.push('');
    lines.push(...(block.type === 'text' ? rowsOfMarkdown(block, theme) : rowsOfAttachment(block, theme)));
  }
  return lines;
}

/** Maximum width of prose, for readability. */
const MAX_PROSE = 100;

/** The growing end of a message, as it was last rendered. */
interface Draft {
  readonly block: Block;
  readonly columns: number;
  readonly look: Theme['paint']['markdown'];
  readonly rows: readonly string[];
}

/** By message. */
const drafts = new WeakMap<object, Draft>();

/**
 * Returns the rows of a block of Markdown, with syntax highlighting if it is finished. Until it is rendered, it is shown as it was when it was shorter, so that nothing flickers
 * while a message grows; if nothing of the message was rendered yet, as its source.
 */
export function rowsOfMarkdownBlock(
  block: Block,
  theme: Theme,
  {progress = 'finished', stream = block}: Partial<Pick<BlockChunk, 'progress' | 'stream'>> = {},
): readonly string[] {
  const {columns, paint} = theme;
  const isDraft = progress === 'streaming';
  const look = paint.markdown;
  const options = {columns, prose: MAX_PROSE, look, highlight: !isDraft};
  const variant = JSON.stringify(options);
  const rows = taskOutputIfReady('render', {of: block, variant, input: () => ({block, ...options}), isDraft});
  if (rows && isDraft) drafts.set(stream, {block, columns, look, rows});
  if (rows) return rows;
  if (rows === undefined) theme.lacks?.();
  const draft = drafts.get(stream);
  const isSoon = rows === undefined && draft?.columns === columns && draft.look === look;
  if (!isSoon) return plainLines(block, columns);
  return isPartOf(draft.block, block) ? draft.rows : [];
}

function isPartOf(part: Block, block: Block): boolean {
  return part.first === block.first && part.context === block.context && block.source.startsWith(part.source);
}

/** What was rendered of a block is found by it, so a text keeps its blocks. */
const blocksOf = memoize(({text}: acp.TextContent): readonly Block[] => {
  const splitter = createBlockSplitter(text);
  return [...splitter.push(text), ...splitter.end()];
});

function rowsOfMarkdown(text: acp.TextContent, theme: Theme): string[] {
  const lines: string[] = [];
  for (const block of blocksOf(text)) {
    if (block.first && lines.length > 0) lines.push('');
    lines.push(...rowsOfMarkdownBlock(block, theme));
  }
  return lines;
}

/** Maximum lines of a streaming thought. */
const MAX_THOUGHT_LINES = 3;

/** Returns the rows of a thought: its last lines while it streams, one line when finished; everything in the transcript viewer. */
export function rowsOfThought(entry: AgentThoughtEntry, theme: Theme): string[] {
  if (theme.extent === 'whole') return rowsOfWholeThought(entry, theme);
  return entry.complete ? rowsOfThoughtSummary(entry, undefined, theme) : rowsOfOngoingThought(entry, theme);
}

/** "Thought for 3 s · first words"; `endedAt` in milliseconds since the epoch, undefined if unknown. */
export function rowsOfThoughtSummary(
  entry: AgentThoughtEntry,
  endedAt: number | undefined,
  theme: Theme,
): string[] {
  const {paint, symbols} = theme;
  const took = endedAt === undefined ? undefined : endedAt - entry.at;
  const label = took === undefined || took < 100 ? 'Thought' : `Thought for ${duration(took)}`;
  const words = firstWords(entry, theme);
  const line = `${symbols.thought} ${label}${words === '' ? '' : ` ${symbols.dot} ${words}`}`;
  return [paint.thought(truncate(line.trimStart(), theme.columns))];
}

function rowsOfWholeThought(entry: AgentThoughtEntry, theme: Theme): string[] {
  return wrapHanging(theme.symbols.thought, messageText(entry).trim(), theme).map((line) =>
    theme.paint.thought(line),
  );
}

function rowsOfOngoingThought(entry: AgentThoughtEntry, theme: Theme): string[] {
  const {paint, symbols, columns} = theme;
  // Only the end is shown, so only the end is wrapped; cut at a line break if there is one.
  const tail = messageText(entry)
    .trim()
    .slice(-MAX_THOUGHT_LINES * 2 * columns);
  const lines = wrapHanging(symbols.thought, tail, theme);
  const shown = lines.slice(-MAX_THOUGHT_LINES);
  return shown.map((line) => paint.thought(line));
}

/** As many words as may fit on a line. */
function firstWords(entry: AgentThoughtEntry | SessionMessageEntry, {columns}: Theme): string {
  return plainWords(messageText(entry).slice(0, columns * 4));
}

/** Returns the rows of a message from one session to another. */
export function rowsOfSessionMessage(entry: SessionMessageEntry, theme: Theme): string[] {
  const {paint, symbols, subagents, columns} = theme;
  const {from, to} = participants(entry, (id) => subagents[id] && subagentName({subagents}, id));
  const who = `Message${from === undefined ? '' : ` from ${from}`}${to === undefined ? '' : ` to ${to}`}`;
  const first = firstWords(entry, theme);
  const isBetween = entry.content.every(({type}) => type === 'text') && theme.extent === 'folded';
  // Messages between sessions are also in the subagent's transcript.
  if (isBetween && first !== '') return [paint.dim(truncate(`${symbols.arrow} ${who}: ${first}`, columns))];
  const headline = wrapHanging(symbols.arrow, who, theme).map((line) => paint.dim(line));
  return [...headline, ...indent(rowsOfContentBlocks(entry.content, narrow(theme)))];
}

import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {AgentThoughtEntry, SessionMessageEntry} from '../../src/session/entries.ts';
import {memoize} from '../../src/session/memoize.ts';
import {messageText} from '../../src/session/selectors.ts';
import {isHidden} from '../../src/session/transcript/content.ts';
import {plainLines, plainWords} from '../../src/text/markdown/plain.ts';
import {createBlockSplitter} from '../../src/text/markdown/splitter.ts';
import type {Block} from '../../src/text/markdown/style.ts';
import {taskOutputIfReady} from '../../src/worker/background.ts';
import type {Theme} from '../theme/theme.tsx';
import {rowsOfAttachment} from '../tool-call/attachment.ts';
import {addAll} from '../../src/text/lists.ts';

/** Returns the rows of the content of a message: text as Markdown, everything else as a label. */
export function rowsOfContentBlocks(content: readonly acp.ContentBlock[], theme: Theme): string[] {
  const lines: string[] = [];
  for (const block of content) {
    if (isHidden(block)) continue;
    if (lines.length > 0) lines.push('');
    addAll(lines, block.type === 'text' ? rowsOfMarkdown(block, theme) : rowsOfAttachment(block, theme));
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

interface BlockProgress {
  readonly progress?: 'finished' | 'streaming';
  /** The message that it is a part of. */
  readonly stream?: object | undefined;
}

/**
 * Returns the rows of a block of Markdown, with syntax highlighting if it is finished. Until it is rendered, it is shown as it was when it was shorter, so that nothing flickers
 * while a message grows; if nothing of the message was rendered yet, as its source.
 */
export function rowsOfMarkdownBlock(
  block: Block,
  theme: Theme,
  {progress = 'finished', stream = block}: BlockProgress = {},
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
    addAll(lines, rowsOfMarkdownBlock(block, theme));
  }
  return lines;
}

/** As many words as may fit on a line. */
export function firstWords(entry: AgentThoughtEntry | SessionMessageEntry, {columns}: Theme): string {
  return plainWords(messageText(entry).slice(0, columns * 4));
}

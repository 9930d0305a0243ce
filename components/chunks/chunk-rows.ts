import {isRunningCall} from '../../src/session/labels/tool-labels.ts';
import {terminalIds} from '../../src/session/selectors.ts';
import {cacheRows} from '../layout/cached-rows.ts';
import {indent, narrow, rowsInMargin} from '../layout/lines.ts';
import type {Theme} from '../theme/theme.tsx';
import {rowsOfAttachment} from '../tool-call/attachment.ts';
import {rowsOfHeadline} from '../tool-call/headline.ts';
import {lookupsRow} from '../tool-call/lookups.ts';
import {shellHeadline} from '../tool-call/shell-command.ts';
import {rowsOfResult} from '../tool-call/tool-call.ts';
import {rowsOfEntry} from '../transcript/entry-rows.ts';
import {rowsOfMarkdownBlock} from '../transcript/message.ts';
import {rowsOfStartCard} from '../transcript/start-card.ts';
import type {Chunk, PlacedChunk} from './chunks.ts';

/** True for a tool call that is shown completely elsewhere. */
export function isShownElsewhere(chunk: Chunk, {asked}: Pick<Theme, 'asked'>): boolean {
  return chunk.kind === 'entry' && chunk.entry.type === 'tool_call' && !!asked?.has(chunk.entry.toolCallId);
}

/** Returns the rows of a chunk, without the blank one above. Cached. */
export const rowsOfChunk = cacheRows(rowsInTranscript, showSame);

/** True if nothing in the chunk is still to come, like a picture that is being read. */
export function lacksNothing(chunk: Chunk, theme: Theme): boolean {
  let isComplete = true;
  rowsOfChunk(chunk, {...theme, lacks: () => void (isComplete = false)});
  return isComplete;
}

/** Returns the rows of a chunk with the blank one above, if it has one. */
export function rowsOfPlaced(
  {chunk, gap, lastRows = Infinity}: PlacedChunk,
  theme: Theme,
): readonly string[] {
  const rows = rowsOfChunk(chunk, theme).slice(-lastRows);
  return gap && rows.length > 0 ? ['', ...rows] : rows;
}

/** True if the terminals, subagents and requests that a chunk shows are the same. */
function showSame(chunk: Chunk, before: Theme, now: Theme): boolean {
  if (chunk.kind !== 'entry' && chunk.kind !== 'ending') return true;
  if (chunk.kind === 'entry' && isRunningCall(chunk.entry) && before.clock !== now.clock) return false;
  if (chunk.entry.type === 'subagent' && before.subagents !== now.subagents) return false;
  if (isShownElsewhere(chunk, before) !== isShownElsewhere(chunk, now)) return false;
  return terminalIds(chunk.entry).every((id) => before.terminals.get(id) === now.terminals.get(id));
}

/** Everything but the user's own text is indented. */
function rowsInTranscript(chunk: Chunk, theme: Theme): readonly string[] {
  const isOwn = chunk.kind === 'entry' && chunk.entry.type === 'user_message';
  return isOwn ? rowsOfEntry(chunk.entry, theme) : rowsInMargin(theme, (inner) => rowsByKind(chunk, inner));
}

function rowsByKind(chunk: Chunk, theme: Theme): readonly string[] {
  switch (chunk.kind) {
    case 'block':
      return rowsOfMarkdownBlock(chunk.block, theme, chunk);
    case 'attachment':
      return rowsOfAttachment(chunk.content, theme);
    case 'lookups':
      return [lookupsRow(chunk.entries, theme)];
    case 'start':
      return rowsOfStartCard(chunk.card, theme);
    case 'ending':
      return rowsOfEnding(chunk, theme);
    case 'entry':
      return rowsOfEntry(chunk.entry, theme, chunk.endedAt);
  }
}

/** Returns the end of a tool call or command whose card was printed earlier. */
function rowsOfEnding({entry}: Extract<Chunk, {kind: 'ending'}>, theme: Theme): readonly string[] {
  if (entry.type === 'shell_command') return [shellHeadline(entry, theme)];
  return [...rowsOfHeadline(entry, theme), ...indent(rowsOfResult(entry, narrow(theme)))];
}

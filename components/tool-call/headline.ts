import type {ToolCallEntry} from '../../src/session/entries.ts';
import {toolEnding} from '../../src/session/words/tool-ending.ts';
import {toolDetails, toolTitle} from '../../src/session/words/tool-title.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import type {Draw} from '../draw/draw.ts';
import {markEscapes} from '../draw/exact.ts';

/** State, kind, title, where, the tool's own name, and how it ended, on one line. */
export function drawHeadline(entry: ToolCallEntry, draw: Draw): string {
  const {paint, columns} = draw;
  const title = toolTitle(entry);
  const details = toolDetails(entry, title, draw.cwd);
  const tail = details.map((detail) => ` ${draw.signs.dot} ${detail}`).join('');
  // The title is what the user reads first: it keeps at least half of the line.
  const shownTitle = truncate(title, Math.max(columns - 2 - width(tail), Math.floor(columns / 2), 1));
  const shownTail = truncate(tail, Math.max(0, columns - 2 - width(shownTitle)));
  return `${drawState(entry, draw)} ${paint.bold(markEscapes(shownTitle, draw))}${paint.dim(markEscapes(shownTail, draw))}`;
}

/** The sign of a tool call's state, in its colour. */
export function drawState(entry: ToolCallEntry, {paint, signs}: Draw): string {
  switch (toolEnding(entry)) {
    case 'pending':
      return paint.dim(signs.pending);
    case 'in_progress':
      return paint.accent(signs.running);
    case 'completed':
      return paint.success(signs.done);
    case 'failed':
      return paint.error(signs.failed);
    case 'cancelled':
    case 'rejected':
      return paint.warning(signs.cancelled);
  }
}

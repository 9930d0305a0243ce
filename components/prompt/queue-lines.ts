import {draftText, type Draft} from '../../src/app/editor/draft.ts';
import {attachmentLabel} from '../../src/session/queue/attachments.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {type Draw, windowAround} from '../draw/draw.ts';
import type {PromptAttachment, QueuedPrompt} from '../../src/session/queue/queued-prompt.ts';

/** Maximum number of queued prompts shown; more while one is selected. */
const MAX_SHOWN = 3;
const MAX_SHOWN_SELECTED = 6;

interface ShownQueue {
  readonly queue: readonly QueuedPrompt[];
  /** True if the queue is paused: after a cancel, an error or a crash. */
  readonly isPaused: boolean;
  /** The id of the selected prompt. */
  readonly selected: string | undefined;
  readonly look: Pick<Draw, 'columns' | 'paint' | 'symbols'>;
  /** True for one row: the selected prompt, or else the count. */
  readonly isShort?: boolean;
}

/** Draws the queued prompts above the prompt: one line each, under their count. The hint line shows the keys. */
export function queueLines({queue, isPaused, selected, look, isShort = false}: ShownQueue): string[] {
  if (queue.length === 0) return [];
  const {paint, symbols, columns} = look;
  const at = Math.max(
    0,
    queue.findIndex(({id}) => id === selected),
  );
  const most = selected === undefined ? MAX_SHOWN : MAX_SHOWN_SELECTED;
  const {from, to} = windowAround(at, queue.length, most);
  const lines = queue.slice(from, to).map((prompt, index) => {
    const isSelected = prompt.id === selected;
    const mark = selected === undefined ? '' : isSelected ? `${symbols.selected} ` : '  ';
    const text = truncate(`${mark}${from + index + 1} ${oneLine(prompt, symbols)}`, columns);
    return isSelected ? paint.selected(text) : paint.dim(text);
  });
  if (isShort && selected !== undefined) return lines.slice(at - from, at - from + 1);
  const rest = queue.length - (to - from);
  const more = rest > 0 ? [paint.dim(truncate(`${symbols.ellipsis} ${rest} more`, columns))] : [];
  const title = truncate(`${queue.length} queued${isPaused ? ', paused' : ''}`, columns);
  return [isPaused ? paint.accent(title) : paint.dim(title), ...(isShort ? [] : [...lines, ...more])];
}

function oneLine({text, steering}: QueuedPrompt, {ellipsis, dot}: Draw['symbols']): string {
  const [line = '', next] = text.trim().split('\n', 2);
  const flat = line.replaceAll('\t', ' ');
  const shown = next === undefined ? flat : `${flat} ${ellipsis}`;
  return steering ? `${shown} ${dot} sending` : shown;
}

/** Draws the stashed draft: its first line, with the key that restores it. */
export function stashLine(stash: Draft, key: string, {paint, symbols, columns}: Draw): string {
  const [line = ''] = draftText(stash).trim().split('\n', 1);
  return paint.dim(
    truncate(`Stashed ${symbols.dot} ${key} restore ${symbols.dot} ${sanitizeLine(line)}`, columns),
  );
}

/** Draws the command outputs attached to the next prompt, one per line; the last line shows the key that removes it. */
export function outputLines(
  outputs: readonly PromptAttachment[],
  key: string,
  {paint, columns}: Draw,
): string[] {
  return outputs.map((output, index) => {
    const how = index === outputs.length - 1 ? ` · ${key} remove` : '';
    return paint.accent(truncate(`Attached: ${sanitizeLine(attachmentLabel(output))}${how}`, columns));
  });
}

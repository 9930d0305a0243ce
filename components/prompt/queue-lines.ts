import type {QueuedPrompt} from '../../src/app/queue.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {PromptLook} from './prompt-lines.ts';

/** How many queued prompts are shown; of more, the first ones. */
const MOST_SHOWN = 3;

export interface ShownQueue {
  readonly queue: readonly QueuedPrompt[];
  /** True when the queue waits for Enter: after a cancel, an error or a crash. */
  readonly isHeld: boolean;
  readonly look: PromptLook;
}

/** The prompts that wait, above the prompt: one line each, under a line that counts them. The hint line tells the keys. */
export function queueLines({queue, isHeld, look}: ShownQueue): string[] {
  if (queue.length === 0) return [];
  const {paint, signs, columns} = look;
  const shown = queue
    .slice(0, MOST_SHOWN)
    .map(({text}, index) => `${index + 1} ${oneLine(text, signs.ellipsis)}`);
  const more = queue.length > MOST_SHOWN ? [`${signs.ellipsis} ${queue.length - MOST_SHOWN} more`] : [];
  const title = truncate(`${queue.length} queued${isHeld ? ', paused' : ''}`, columns);
  return [
    isHeld ? paint.accent(title) : paint.dim(title),
    ...[...shown, ...more].map((line) => paint.dim(truncate(line, columns))),
  ];
}

function oneLine(text: string, ellipsis: string): string {
  const [line = '', next] = text.trim().split('\n', 2);
  const flat = line.replaceAll('\t', ' ');
  return next === undefined ? flat : `${flat} ${ellipsis}`;
}

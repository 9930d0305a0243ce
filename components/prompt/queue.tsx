import {Box, Text} from 'ink';
import {keysFor, type Keymap} from '../../src/app/keymap.ts';
import type {QueuedPrompt} from '../../src/app/queue.ts';
import {truncate} from '../../src/text/truncate.ts';
import type {PromptLook} from './prompt-lines.ts';

/** How many queued prompts are shown; of more, the first ones. */
const MOST_SHOWN = 3;

export interface QueueProps {
  readonly queue: readonly QueuedPrompt[];
  /** True when the queue waits for Enter: after a cancel, an error or a crash. */
  readonly isHeld: boolean;
  readonly look: PromptLook;
  /** The keys that are in force; the default ones if left out. */
  readonly keymap?: Keymap;
}

/** The prompts that wait, above the prompt; one line each. */
export function Queue(props: QueueProps) {
  const lines = queueLines(props);
  if (lines.length === 0) return null;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {lines.map((line, index) => (
        // Rows have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Text key={index} wrap="truncate-end">
          {line}
        </Text>
      ))}
    </Box>
  );
}

/** What `Queue` shows; as many rows as there are lines. */
export function queueLines({queue, isHeld, look, keymap}: QueueProps): string[] {
  if (queue.length === 0) return [];
  const {paint, signs, columns} = look;
  const [edit] = keysFor('edit_last_queued', keymap);
  const hint = edit === undefined ? '' : ` ${signs.dot} ${edit} edits the last`;
  const title = `${queue.length} queued${isHeld ? ', paused: Enter goes on' : ''}${hint}`;
  const shown = queue
    .slice(0, MOST_SHOWN)
    .map(({text}, index) => `${index + 1} ${oneLine(text, signs.ellipsis)}`);
  const more = queue.length > MOST_SHOWN ? [`${signs.ellipsis} ${queue.length - MOST_SHOWN} more`] : [];
  const [first = '', ...rest] = [title, ...shown, ...more].map((line) => truncate(line, columns));
  return [isHeld ? paint.accent(first) : paint.dim(first), ...rest.map(paint.dim)];
}

function oneLine(text: string, ellipsis: string): string {
  const [line = '', next] = text.trim().split('\n', 2);
  const flat = line.replaceAll('\t', ' ');
  return next === undefined ? flat : `${flat} ${ellipsis}`;
}

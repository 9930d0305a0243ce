import {type QueueView, queueHeight} from '../../src/app/queue/queue-view.ts';
import {truncate} from '../../src/text/truncate.ts';
import {Rows} from '../layout/rows.tsx';
import {type Theme, useTheme} from '../theme/theme.tsx';

interface QueueProps {
  readonly queue: QueueView;
  /** All of its rows, or one: then the most important one is shown. */
  readonly rows: number;
}

/** What waits to be sent: queued prompts, the stashed draft, and what is attached to the next prompt. */
export function Queue({queue, rows}: QueueProps) {
  const theme = useTheme();
  const isWhole = rows >= queueHeight(queue);
  return <Rows of={isWhole ? rowsOfQueue(queue, theme) : [shortRow(queue, theme)].slice(0, rows)} />;
}

function rowsOfQueue(queue: QueueView, theme: Theme): readonly string[] {
  const {paint, columns} = theme;
  const {label, prompts, more, stash, attached} = queue;
  return [
    ...prompts.map((prompt, index) => promptRow(prompt, {label: index === 0 ? label : '', queue, theme})),
    ...(more === undefined ? [] : [paint.dim(startOf('', queue) + more)]),
    ...(stash === undefined ? [] : [paint.dim(truncate(stash, columns))]),
    ...attached.map((text) => paint.accent(truncate(text, columns))),
  ];
}

/** Returns the selected prompt, or else the only one, or what else there is. */
function shortRow(queue: QueueView, theme: Theme): string {
  const {paint, columns} = theme;
  const {label, title, prompts, stash, attached} = queue;
  const [first, ...others] = prompts;
  const shown = prompts.find(({isSelected}) => isSelected) ?? (others.length === 0 ? first : undefined);
  if (shown) return promptRow(shown, {label, queue, theme});
  const text = truncate((first && `  ${title}`) ?? stash ?? attached[0] ?? '', columns);
  return first || stash !== undefined ? paint.dim(text) : paint.accent(text);
}

/** Returns a prompt, in the margin of the transcript: `then  the next one`. */
function promptRow(
  {text, isSelected}: QueueView['prompts'][number],
  {label = '', queue, theme}: {label: string | undefined; queue: QueueView; theme: Theme},
): string {
  const {paint, symbols, columns} = theme;
  const start = startOf(label, queue);
  if (isSelected) return paint.selected(truncate(symbols.selected + start.slice(1) + text, columns));
  const before = queue.isPaused ? paint.accent(start) : paint.dim(start);
  return truncate(before + paint.dim(text), columns);
}

/** Returns what stands before a prompt, in columns. */
function startOf(word: string, {label = ''}: QueueView): string {
  return `  ${word.padEnd(label.length)}  `;
}

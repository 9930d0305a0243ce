import {Box} from 'ink';
import {type QueueView, queueHeight} from '../../src/app/queue/queue-view.ts';
import {truncate} from '../../src/text/truncate.ts';
import {Row} from '../layout/rows.tsx';
import {useTheme} from '../theme/theme.tsx';

interface QueueProps {
  readonly queue: QueueView;
  /** All of its rows, or one: then the most important one is shown. */
  readonly rows: number;
}

/** What waits to be sent: queued prompts, the stashed draft, and what is attached to the next prompt. */
export function Queue({queue, rows}: QueueProps) {
  const {paint, columns} = useTheme();
  const {label, prompts, more, stash, attached} = queue;
  if (rows === 0) return null;
  if (rows < queueHeight(queue)) return <ShortQueue queue={queue} />;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {prompts.map((prompt, index) => (
        <Prompt key={prompt.id} label={index === 0 ? label : ''} queue={queue} prompt={prompt} />
      ))}
      {more !== undefined && <Row text={paint.dim(startOf('', queue) + more)} />}
      {stash !== undefined && <Row text={paint.dim(truncate(stash, columns))} />}
      {attached.map((text) => (
        <Row key={text} text={paint.accent(truncate(text, columns))} />
      ))}
    </Box>
  );
}

/** One row: the selected prompt, or else the first, or what else there is. */
function ShortQueue({queue}: Pick<QueueProps, 'queue'>) {
  const {paint, columns} = useTheme();
  const {label, title, prompts, stash, attached} = queue;
  const selected = prompts.find(({isSelected}) => isSelected);
  if (selected) return <Prompt label={label} queue={queue} prompt={selected} />;
  const [first, ...others] = prompts;
  if (first && others.length === 0) return <Prompt label={label} queue={queue} prompt={first} />;
  const text = truncate((first && `  ${title}`) ?? stash ?? attached[0] ?? '', columns);
  return <Row text={first || stash !== undefined ? paint.dim(text) : paint.accent(text)} />;
}

interface PromptProps extends Pick<QueueProps, 'queue'> {
  readonly label: string | undefined;
  readonly prompt: QueueView['prompts'][number];
}

/** A prompt, in the margin of the transcript: `then  the next one`. */
function Prompt({label = '', queue, prompt: {text, isSelected}}: PromptProps) {
  const {paint, symbols, columns} = useTheme();
  const start = startOf(label, queue);
  if (isSelected)
    return <Row text={paint.selected(truncate(symbols.selected + start.slice(1) + text, columns))} />;
  const before = queue.isPaused ? paint.accent(start) : paint.dim(start);
  return <Row text={truncate(before + paint.dim(text), columns)} />;
}

/** Returns what stands before a prompt, in columns. */
function startOf(word: string, {label = ''}: QueueView): string {
  return `  ${word.padEnd(label.length)}  `;
}

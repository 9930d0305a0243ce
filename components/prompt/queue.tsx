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
  const {title, prompts, more, stash, attached} = queue;
  if (rows === 0) return null;
  if (rows < queueHeight(queue)) return <ShortQueue queue={queue} />;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {title !== undefined && <Title queue={queue} />}
      {prompts.map((prompt) => (
        <Prompt key={prompt.id} queue={queue} prompt={prompt} />
      ))}
      {more !== undefined && <Row text={paint.dim(more)} />}
      {stash !== undefined && <Row text={paint.dim(truncate(stash, columns))} />}
      {attached.map((text) => (
        <Row key={text} text={paint.accent(truncate(text, columns))} />
      ))}
    </Box>
  );
}

/** One row: the selected prompt, or else the count, or what else there is. */
function ShortQueue({queue}: Pick<QueueProps, 'queue'>) {
  const {paint, columns} = useTheme();
  const {title, prompts, stash, attached} = queue;
  const selected = prompts.find(({isSelected}) => isSelected);
  if (selected) return <Prompt queue={queue} prompt={selected} />;
  if (title !== undefined) return <Title queue={queue} />;
  const text = truncate(stash ?? attached[0] ?? '', columns);
  return <Row text={stash === undefined ? paint.accent(text) : paint.dim(text)} />;
}

function Title({queue: {title = '', isPaused}}: Pick<QueueProps, 'queue'>) {
  const {paint} = useTheme();
  return <Row text={isPaused ? paint.accent(title) : paint.dim(title)} />;
}

interface PromptProps extends Pick<QueueProps, 'queue'> {
  readonly prompt: QueueView['prompts'][number];
}

function Prompt({queue: {hasSelection}, prompt: {text, isSelected}}: PromptProps) {
  const {paint, symbols, columns} = useTheme();
  const mark = !hasSelection ? '' : isSelected ? `${symbols.selected} ` : '  ';
  const line = truncate(mark + text, columns);
  return <Row text={isSelected ? paint.selected(line) : paint.dim(line)} />;
}

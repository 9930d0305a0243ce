import {Box, Text} from 'ink';
import type {Activity as Current} from '../../src/app/status/progress.ts';
import {hintText} from '../../src/app/keymap/hints.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {useTicks} from '../hooks.ts';
import {styledHints} from '../layout/hints.ts';
import {useTheme} from '../theme/theme.tsx';

interface ActivityProps {
  readonly activity: Current;
  readonly isAnimated: boolean;
}

/** Milliseconds of a spinner's sign. */
const SPIN = 125;

/** What the agent is doing, for how long, and the keys of its command: the only line that is animated. */
export function Activity({activity: {doing, took, keys}, isAnimated}: ActivityProps) {
  const turn = useTicks(isAnimated, SPIN);
  const theme = useTheme();
  const {paint, symbols, columns} = theme;
  const sign = isAnimated ? symbols.spinner[turn % symbols.spinner.length] : symbols.running;
  return (
    <Box width={columns} flexShrink={0} gap={1}>
      <Box flexShrink={0}>
        <Text>{paint.accent(sign ?? '')}</Text>
      </Box>
      <Text wrap="truncate-end">{paint.dim(truncate(doing, columns))}</Text>
      {took !== undefined && (
        <Box flexShrink={0}>
          <Text>{paint.dim(took)}</Text>
        </Box>
      )}
      {keys && width(doing + (took ?? '') + hintText(keys)) + 6 <= columns && (
        <Box flexGrow={1} flexShrink={0} justifyContent="flex-end">
          <Text>{styledHints(keys, theme)}</Text>
        </Box>
      )}
    </Box>
  );
}

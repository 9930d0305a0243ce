import {Box, Text} from 'ink';
import {memo} from 'react';

/** Rows that are cut to the width of the screen already. */
export function Rows({of}: {readonly of: readonly string[]}) {
  if (of.length === 0) return null;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {of.map((row, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- Rows are identified by their position.
        <Row key={index} text={row} />
      ))}
    </Box>
  );
}

/** One row; what does not fit is cut off. It is laid out again only if its text changes. */
export const Row = memo(function Row({text}: {readonly text: string}) {
  return <Text wrap="truncate-end">{text === '' ? ' ' : text}</Text>;
});

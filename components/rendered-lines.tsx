import {Box, Text} from 'ink';

/** Renders lines that are already wrapped. */
export function Lines({lines}: {readonly lines: readonly string[]}) {
  if (lines.length === 0) return null;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- Lines are identified by their position.
        <Text key={index} wrap="truncate-end">
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  );
}

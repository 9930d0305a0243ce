import {Box, Text} from 'ink';

/** Renders lines that are already wrapped. */
export function Lines({lines}: {readonly lines: readonly string[]}) {
  if (lines.length === 0) return null;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {lines.map((line, index) => (
        // Lines are identified by their position. oxlint-disable-next-line react/no-array-index-key
        <Text key={index} wrap="truncate-end">
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  );
}

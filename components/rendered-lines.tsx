import {Box, Text} from 'ink';

/** Lines that are wrapped already, one below the other. */
export function Lines({lines}: {readonly lines: readonly string[]}) {
  if (lines.length === 0) return null;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {lines.map((line, index) => (
        // The lines of a frame have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <Text key={index} wrap="truncate-end">
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  );
}

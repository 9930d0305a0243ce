import {Box, Text} from 'ink';
import {createContext, memo, useContext} from 'react';
import {BOX_SIDES} from '../../src/app/editor/layout.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {rowBetweenSides} from './box.ts';
import {useTheme} from '../theme/theme.tsx';

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

/** One row, which must have been cut: Ink takes long for long texts. Inside a frame, it is between its sides. It is laid out again only if its text changes. */
export const Row = memo(function Row({text}: {readonly text: string}) {
  const sides = useContext(Sides);
  const shown = text === '' ? ' ' : text;
  return sides ? <FramedRow text={shown} color={sides} /> : <Text wrap="truncate-end">{shown}</Text>;
});

/** Its value puts the rows in it between the sides of a frame, in that color. */
export const Sides = createContext<Style | undefined>(undefined);

/** A row between the sides of a frame: without the right one if terminals disagree about how wide its text is. */
function FramedRow({text, color}: {readonly text: string; readonly color: Style}) {
  const inner = useTheme();
  const theme = {...inner, columns: inner.columns + BOX_SIDES};
  return <Text wrap="truncate-end">{rowBetweenSides(text.trimEnd(), color, theme)}</Text>;
}

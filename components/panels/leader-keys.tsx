import {Box, Text} from 'ink';
import type {HelpSection} from '../../src/app/pages/help-page.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {Rows} from '../layout/rows.tsx';
import {Rule} from '../layout/rule.tsx';
import type {Panel} from './panel.ts';
import {maxOf} from '../../src/text/lists.ts';

/** On narrower terminals, the description of a key is below it. */
const COLUMNS_SIDE_BY_SIDE = 50;
/** Minimum width for two keys in a row. */
const COLUMNS_FOR_TWO = 100;
/** Columns before a key, and between it and what it does. */
const INDENT = 2;

const CLOSES = 'Any other key closes';

/** A key and what it does, wrapped. */
type KeyHelp = ReturnType<typeof helpIn>;

interface Column {
  readonly columns: number;
  readonly keys: readonly KeyHelp[];
}

/** Returns the keys after the leader key, in two columns if there is space. */
export function leaderKeysPanel({title, rows: all}: HelpSection, rows: number, {columns}: Theme): Panel {
  const keyColumns = maxOf(all.map(({keys}) => width(keys)));
  const hasTwo = columns >= COLUMNS_FOR_TWO;
  const first = hasTwo ? Math.floor(columns / 2) : columns;
  const half = hasTwo ? Math.ceil(all.length / 2) : all.length;
  const inColumn = (some: typeof all, room: number): Column => ({
    columns: room,
    keys: some.map((each) => helpIn(each, keyColumns, room)),
  });
  const both = [
    inColumn(all.slice(0, half), hasTwo ? first - 1 : columns),
    inColumn(all.slice(half), columns - first),
  ];
  const natural = 2 + maxOf(both.map(({keys}) => keys.reduce((sum, key) => sum + heightOf(key), 0)));
  const height = Math.min(rows, natural);
  return {
    content: <LeaderKeys title={title} both={both} keyColumns={keyColumns} height={height} />,
    height,
    spoken: () => [title, ...all.map(({keys, does}) => `  ${keys}  ${does}`), CLOSES],
  };
}

function helpIn({keys, does}: HelpSection['rows'][number], keyColumns: number, columns: number) {
  const isBeside = columns >= COLUMNS_SIDE_BY_SIDE && width(keys) <= keyColumns;
  return {keys, does: wrap(does, columns - 2 * INDENT - (isBeside ? keyColumns : 0)), isBeside};
}

function heightOf({does, isBeside}: KeyHelp): number {
  return isBeside ? does.length : 1 + does.length;
}

interface LeaderKeysProps {
  readonly title: string;
  readonly both: readonly Column[];
  readonly keyColumns: number;
  readonly height: number;
}

function LeaderKeys({title, both, keyColumns, height}: LeaderKeysProps) {
  const {paint} = useTheme();
  return (
    <Box flexDirection="column" height={height} overflow="hidden">
      <Box flexShrink={0}>
        <Rule words={title} color={paint.accent} />
      </Box>
      <Box flexShrink={0} gap={1}>
        {both.map(({columns, keys}) => (
          <Box key={columns} flexDirection="column" width={columns} flexShrink={0}>
            {keys.map((key) => (
              <Key key={key.keys} help={key} keyColumns={keyColumns} />
            ))}
          </Box>
        ))}
      </Box>
      <Box flexShrink={0}>
        <Rule words={CLOSES} color={paint.dim} />
      </Box>
    </Box>
  );
}

function Key({
  help: {keys, does, isBeside},
  keyColumns,
}: {
  readonly help: KeyHelp;
  readonly keyColumns: number;
}) {
  const {paint} = useTheme();
  return (
    <Box flexDirection={isBeside ? 'row' : 'column'} columnGap={INDENT} paddingLeft={INDENT} flexShrink={0}>
      <Box width={isBeside ? keyColumns : undefined} flexShrink={0}>
        <Text wrap="truncate-end">{paint.accent(keys)}</Text>
      </Box>
      <Box paddingLeft={isBeside ? 0 : INDENT} flexShrink={0}>
        <Rows of={does} />
      </Box>
    </Box>
  );
}

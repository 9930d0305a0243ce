import {fittingHints, type Hint, hintText} from '../../src/app/keymap/hints.ts';
import type {KeyHelp} from '../../src/app/pages/help-page.ts';
import {width} from '../../src/text/width.ts';
import {Rows} from '../layout/rows.tsx';
import {HintRule, Rule} from '../layout/rule.tsx';
import {type Theme, useTheme} from '../theme/theme.tsx';
import type {Panel} from './panel.ts';
import {maxOf} from '../../src/text/lists.ts';

/** Columns before a key, and between it and what it does. */
const INDENT = 2;

/** Returns the most important keys, in as many columns as there is room for. */
export function firstKeysPanel(keys: readonly KeyHelp[], rows: number, theme: Theme): Panel {
  const {columns, keyOf} = theme;
  const grid = [4, 3, 2, 1].map((count) => inColumns(keys, count)).find(({needs}) => needs <= columns);
  const all = rowsOf(grid ?? inColumns(keys, 1), theme);
  const shown = all.length + 2 <= rows ? all : all.slice(0, Math.max(1, rows - 2));
  const cut = all.length - shown.length;
  const keyHints: readonly Hint[] = [
    [keyOf('help_when_empty'), 'all keys'],
    [keyOf('cancel_or_back'), 'close'],
  ];
  const hints = fittingHints([cut > 0 ? `… ${cut} below` : '', ...keyHints], Math.max(1, columns - 4));
  return {
    content: <FirstKeys shown={shown} hints={hints} />,
    height: Math.min(rows, shown.length + 2),
    hints,
    spoken: () => [TITLE, ...keys.map((key) => `  ${key.keys}  ${key.does}`), hintText(keyHints)],
  };
}

const TITLE = 'Keys';

interface Grid {
  readonly columns: readonly (readonly KeyHelp[])[];
  readonly needs: number;
}

function inColumns(keys: readonly KeyHelp[], count: number): Grid {
  const most = Math.ceil(keys.length / count);
  const columns = Array.from({length: count}, (_, column) => keys.slice(column * most, (column + 1) * most));
  return {columns, needs: columns.reduce((sum, column) => sum + widthOf(column), 0)};
}

function widthOf(column: readonly KeyHelp[]): number {
  const [keys, does] = [column.map(({keys}) => width(keys)), column.map(({does}) => width(does))];
  return INDENT + maxOf(keys, 0) + INDENT + maxOf(does, 0);
}

function rowsOf({columns}: Grid, {paint}: Theme): string[] {
  const cells = columns.map((column) => {
    const keyColumns = maxOf(
      column.map(({keys}) => width(keys)),
      0,
    );
    const room = widthOf(column);
    return column.map(({keys, does}) => {
      const start = ' '.repeat(INDENT) + keys + ' '.repeat(keyColumns - width(keys) + INDENT);
      const cell = start + paint.dim(does);
      return cell + ' '.repeat(Math.max(0, room - width(cell)));
    });
  });
  return (cells[0] ?? []).map((_, row) =>
    cells
      .map((column) => column[row] ?? '')
      .join('')
      .trimEnd(),
  );
}

interface FirstKeysProps {
  readonly shown: readonly string[];
  readonly hints: readonly Hint[];
}

function FirstKeys({shown, hints}: FirstKeysProps) {
  const {paint} = useTheme();
  return (
    <>
      <Rule words={TITLE} color={paint.accent} />
      <Rows of={shown} />
      <HintRule hints={hints} />
    </>
  );
}

import {fittingHints, type Hint, hintText, RULE_ENDS} from '../../src/app/keymap/hints.ts';
import type {KeyHelp} from '../../src/app/pages/help-page.ts';
import {padded, widest} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {Theme} from '../theme/theme.tsx';
import type {Panel} from './panel.ts';
import {listPanel} from './panel-rows.tsx';

/** Columns before a key, and between it and what it does. */
const INDENT = 2;

interface ListedKeys {
  readonly title: string;
  readonly keys: readonly KeyHelp[];
  /** What shows those that do not fit, and what closes the list. */
  readonly hints: readonly Hint[];
}

/** Returns a list of keys, in as many columns as there is room for. */
export function keysPanel({title, keys, hints}: ListedKeys, rows: number, theme: Theme): Panel {
  const {columns} = theme;
  const grid = [4, 3, 2].map((count) => inColumns(keys, count)).find((each) => widthOf(each) <= columns);
  const all = rowsOf(grid ?? inColumns(keys, 1), theme);
  const shown = all.length + 2 <= rows ? all : all.slice(0, Math.max(1, rows - 2));
  const cut = all.length - shown.length;
  const fitting = fittingHints([cut > 0 ? `… ${cut} below` : '', ...hints], Math.max(1, columns - RULE_ENDS));
  return {
    ...listPanel({title, rows: shown, hints: fitting}),
    height: Math.min(rows, shown.length + 2),
    spoken: () => [title, ...keys.map((key) => `  ${key.keys}  ${key.does}`), hintText(hints)],
  };
}

type Column = readonly KeyHelp[];

function inColumns(keys: readonly KeyHelp[], count: number): readonly Column[] {
  const most = Math.ceil(keys.length / count);
  return Array.from({length: count}, (_, column) => keys.slice(column * most, (column + 1) * most));
}

function widthOf(grid: readonly Column[]): number {
  const texts = grid.flatMap((column) => [column.map(({keys}) => keys), column.map(({does}) => does)]);
  return texts.reduce((sum, column) => sum + INDENT + widest(column), 0);
}

function rowsOf(grid: readonly Column[], {paint, columns}: Theme): string[] {
  const cells = grid.map((column) => {
    const keyColumns = widest(column.map(({keys}) => keys));
    const room = Math.min(widthOf([column]), columns);
    return column.flatMap(({keys, does}) =>
      wrap(does, room - keyColumns - 2 * INDENT).map((line, index) => {
        const key = index === 0 ? keys : '';
        const start = ' '.repeat(INDENT) + padded(key, keyColumns + INDENT);
        return padded(start + paint.dim(line), room);
      }),
    );
  });
  return (cells[0] ?? []).map((_, row) =>
    cells
      .map((column) => column[row] ?? '')
      .join('')
      .trimEnd(),
  );
}

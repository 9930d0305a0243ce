import type {Menu} from '../../src/app/completion/menu.ts';
import type {MenuItem} from '../../src/app/completion/menu-items.ts';
import {windowAround} from '../../src/app/pages/scroll.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {padded, widest} from '../../src/text/width.ts';
import {choiceRow} from '../layout/lines.ts';
import type {Theme} from '../theme/theme.tsx';
import type {Panel} from './panel.ts';
import {listPanel} from './panel-rows.tsx';

/** Maximum rows of files, which are found by typing, and of what is spoken. */
const FEW_ROWS = 7;
/** Fewer rows have no room for a title. */
const MIN_ROWS_WITH_TITLE = 3;

const TITLES: Readonly<Partial<Record<MenuItem['source'], string>>> = {
  files: 'Files',
  arguments: 'Arguments',
};

/** Returns what can be typed next, commands, files or arguments, around the selected one, in at most so many rows. */
export function menuPanel({items, selected}: Menu, rows: number, theme: Theme): Panel {
  const {columns, symbols, paint, isLinear} = theme;
  const hasTitle = rows >= MIN_ROWS_WITH_TITLE;
  const areFiles = items.some(({file}) => file !== undefined);
  const most = Math.min(rows - Number(hasTitle), isLinear || areFiles ? FEW_ROWS : Infinity);
  const {from, to} = windowAround(selected, items.length, most);
  const shown = items.slice(from, to);
  const labels = labelColumns(shown, columns);
  return listPanel({
    title: hasTitle ? (TITLES[shown[0]?.source ?? 'client'] ?? 'Commands') : undefined,
    aside: `${selected + 1} of ${items.length}`,
    of: 'menu',
    rows: shown.map((item, index) => {
      const isSelected = from + index === selected;
      const isDim = item.unavailable !== undefined && !isSelected;
      const about = aboutOf(item);
      // The end of a path is more useful than its middle.
      const label = truncate(labelOf(item), labels, {position: item.file ? 'middle' : 'end'});
      const described = isSelected || isDim || about === '' ? about : paint.dim(about);
      const row = choiceRow(`${padded(label, labels)}  ${described}`.trimEnd(), isSelected, theme);
      return {
        text: isDim ? paint.dim(row) : row,
        // Complete.
        spoken: `${isSelected ? symbols.selected : ' '} ${labelOf(item)}  ${about}`.trimEnd(),
        choice: from + index,
      };
    }),
  });
}

/** Returns the columns of labels. A path gets more space than a command's name. */
function labelColumns(items: readonly MenuItem[], columns: number): number {
  const half = Math.floor(columns / 2);
  const most = items.some(({file}) => file !== undefined) ? Math.max(half, columns - 20) : half;
  return Math.min(most, widest(items.map(labelOf)));
}

function labelOf({text, argument}: MenuItem): string {
  return sanitizeLine(argument === undefined ? text : `${text} ${argument}`);
}

function aboutOf({unavailable, description}: MenuItem): string {
  return sanitizeLine([unavailable, description].filter(Boolean).join(' '));
}

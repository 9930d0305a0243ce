import type {Menu} from '../../src/app/completion/menu.ts';
import type {MenuItem} from '../../src/app/completion/menu-items.ts';
import {windowAround} from '../../src/app/pages/scroll.ts';
import {sanitizeLine} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {selectedRow} from '../layout/lines.ts';
import {type Theme, useTheme} from '../theme/theme.tsx';
import {Heading, spokenHeading} from '../layout/rule.tsx';
import {Row} from '../layout/rows.tsx';
import {maxOf} from '../../src/text/lists.ts';

/** Maximum rows of files, which are found by typing, and of what is spoken. */
const FEW_ROWS = 7;
/** Fewer rows have no room for a title. */
const MIN_ROWS_WITH_TITLE = 3;

const HEADINGS: Readonly<Partial<Record<MenuItem['source'], string>>> = {
  files: 'Files',
  arguments: 'Arguments',
};

/** The items of a menu that are shown. */
type MenuView = ReturnType<typeof menuView>;

/** Returns the matching commands, files or arguments, around the selected one, in at most so many rows. */
export function menuView({items, selected}: Menu, rows: number, {columns, isLinear}: Theme) {
  const hasHeading = rows >= MIN_ROWS_WITH_TITLE;
  const above = Number(hasHeading);
  const isFew = isLinear || items.some(({file}) => file !== undefined);
  const {from, to} = windowAround(
    selected,
    items.length,
    Math.min(rows - above, isFew ? FEW_ROWS : Infinity),
  );
  const shown = items.slice(from, to).map((item, index) => ({item, isSelected: from + index === selected}));
  const words = HEADINGS[shown[0]?.item.source ?? 'client'] ?? 'Commands';
  return {
    /** The first line, if it has room. */
    heading: hasHeading ? {words, aside: `${selected + 1} of ${items.length}`} : undefined,
    items: shown,
    height: above + shown.length,
    /** Where each one can be clicked. */
    choices: shown.map((_, row) => ({index: from + row, row: row + above, from: 0, to: columns})),
  };
}

/** What can be typed next: commands, files or arguments. */
export function CommandMenu({heading, items}: MenuView) {
  const {columns} = useTheme();
  const labels = labelColumns(items, columns);
  return (
    <>
      {heading && <Heading {...heading} />}
      {items.map(({item, isSelected}, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- Two may have the same text.
        <Item key={index} item={item} isSelected={isSelected} labels={labels} />
      ))}
    </>
  );
}

/** Returns the columns of labels. A path gets more space than a command's name. */
function labelColumns(items: MenuView['items'], columns: number): number {
  const half = Math.floor(columns / 2);
  const most = items.some(({item}) => item.file !== undefined) ? Math.max(half, columns - 20) : half;
  return Math.min(most, maxOf(items.map(({item}) => width(labelOf(item)))));
}

interface ItemProps {
  readonly item: MenuItem;
  readonly isSelected: boolean;
  /** The columns of all labels. */
  readonly labels: number;
}

function Item({item, isSelected, labels}: ItemProps) {
  const theme = useTheme();
  const {paint, symbols, columns} = theme;
  const {unavailable, file} = item;
  // The end of a path is more useful than its middle.
  const label = truncate(labelOf(item), labels, {position: file ? 'middle' : 'end'});
  const padding = ' '.repeat(Math.max(0, labels - width(label)));
  const about = aboutOf(item);
  const described = isSelected || unavailable !== undefined || about === '' ? about : paint.dim(about);
  const mark = isSelected ? symbols.selected : ' ';
  const line = truncate(`${mark} ${label}${padding}  ${described}`.trimEnd(), columns);
  if (isSelected) return <Row text={selectedRow(line, theme)} />;
  return <Row text={unavailable === undefined ? line : paint.dim(line)} />;
}

/** Returns the menu as it is spoken: complete. */
export function spokenMenu({heading, items}: MenuView, {symbols}: Pick<Theme, 'symbols'>): string[] {
  const lines = items.map(({item, isSelected}) =>
    `${isSelected ? symbols.selected : ' '} ${labelOf(item)}  ${aboutOf(item)}`.trimEnd(),
  );
  return heading ? [spokenHeading(heading), ...lines] : lines;
}

function labelOf({text, argument}: MenuItem): string {
  return sanitizeLine(argument === undefined ? text : `${text} ${argument}`);
}

function aboutOf({unavailable, description}: MenuItem): string {
  return sanitizeLine([unavailable, description].filter(Boolean).join(' '));
}

import type {Tokens} from 'marked';
import {width} from '../width.ts';
import {wrap} from '../wrap.ts';
import {inlineFormatter} from './inline.ts';
import type {RenderOptions} from './options.ts';

const GAP = ' │ ';
const CROSS = '─┼─';
/** A column is not made narrower than this, or than its text. */
const MIN_COLUMN = 6;

/** A table with aligned columns; where they would become too narrow, each row as a list of its cells. */
export function tableLines(table: Tokens.Table, options: RenderOptions): string[] {
  const format = inlineFormatter(options.style);
  const cell = ({tokens}: Tokens.TableCell): string => format(tokens).replaceAll('\n', ' ');
  const head = table.header.map((one) => options.style.tableHead(cell(one)));
  const rows = table.rows.map((row) => row.map(cell));
  const natural = head.map((text, column) =>
    rows.reduce((most, row) => Math.max(most, width(row[column] ?? '')), Math.max(1, width(text))),
  );
  const widths = fitted(natural, options.columns - GAP.length * (natural.length - 1));
  if (widths === undefined) return asLists(head, rows, options);
  const {tableBorder} = options.style;
  const lines = (row: readonly string[]): string[] =>
    rowLines(row, {widths, align: table.align, gap: tableBorder(GAP)});
  const rule = tableBorder(widths.map((size) => '─'.repeat(size)).join(CROSS));
  return [...lines(head), rule, ...rows.flatMap(lines)];
}

/** The widths for the room there is: the widest columns give first. Undefined when there is not enough. */
function fitted(natural: readonly number[], room: number): number[] | undefined {
  const total = natural.reduce((sum, size) => sum + size, 0);
  if (total <= room) return [...natural];
  let cap = room;
  const used = (): number => natural.reduce((sum, size) => sum + Math.min(size, cap), 0);
  while (used() > room && cap >= MIN_COLUMN) cap--;
  if (cap < MIN_COLUMN) return undefined;
  const widths = natural.map((size) => Math.min(size, cap));
  let rest = room - used();
  for (const [column, size] of natural.entries()) {
    if (rest > 0 && size > cap) {
      widths[column] = cap + 1;
      rest--;
    }
  }
  return widths;
}

interface RowLayout {
  readonly widths: readonly number[];
  readonly align: Tokens.Table['align'];
  readonly gap: string;
}

function rowLines(row: readonly string[], {widths, align, gap}: RowLayout): string[] {
  const cells = widths.map((size, column) => wrap(row[column] ?? '', size));
  const height = Math.max(...cells.map(({length}) => length));
  return Array.from({length: height}, (_, line) =>
    cells
      .map((lines, column) => aligned(lines[line] ?? '', widths[column] ?? 0, align[column]))
      .join(gap)
      .replace(/ +$/, ''),
  );
}

function aligned(text: string, size: number, align: Tokens.Table['align'][number] | undefined): string {
  const room = Math.max(0, size - width(text));
  const before = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0;
  return ' '.repeat(before) + text + ' '.repeat(room - before);
}

function asLists(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  {columns}: RenderOptions,
): string[] {
  return rows.flatMap((row, index) => [
    ...(index > 0 ? [''] : []),
    ...row.flatMap((text, column) => wrap(`${head[column] ?? ''}: ${text}`, columns)),
  ]);
}

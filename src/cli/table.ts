import {truncate} from '../text/truncate.ts';
import {width} from '../text/width.ts';
import type {OutputPage} from './output-style.ts';

/** A column of a table; all columns have the same number of texts. */
export interface Column {
  readonly texts: readonly string[];
  /** Its name, shown on a terminal if there are rows. */
  readonly head?: string;
  /** Maximum width; wider texts are cut. */
  readonly most?: number;
  /** Where texts are cut; at the end by default. */
  readonly cut?: 'start' | 'end';
  readonly style?: (text: string) => string;
  /** Omitted on a narrow terminal. */
  readonly isExtra?: boolean;
}

const GAP = '  ';
/** Below this width, extra columns are left out. */
const NARROW = 80;

/** Formats columns; lines are cut to the width of the terminal, if there is one. */
export function tableLines(
  table: readonly Column[],
  {columns}: Pick<OutputPage, 'columns'>,
): readonly string[] {
  const isNarrow = columns !== undefined && columns < NARROW;
  const shown = table.filter(({isExtra}) => !isExtra || !isNarrow);
  const laidOut = shown.map((column, index) => {
    const texts = columns === undefined ? column.texts : withHead(column);
    return index === shown.length - 1 ? texts : padded(texts, column);
  });
  const rows = laidOut[0]?.map((_, row) => laidOut.map((texts) => texts[row] ?? '').join(GAP)) ?? [];
  return columns === undefined ? rows : rows.map((row) => truncate(row, columns));
}

function withHead({head, texts}: Column): readonly string[] {
  return head === undefined || texts.length === 0 ? texts : [head, ...texts];
}

function padded(
  texts: readonly string[],
  {most = Infinity, cut = 'end', style = same}: Column,
): readonly string[] {
  const widest = Math.min(
    most,
    texts.reduce((most, text) => Math.max(most, width(text)), 0),
  );
  return texts.map((text) => {
    const shown = truncate(text, widest, {position: cut});
    return style(shown + ' '.repeat(Math.max(0, widest - width(shown))));
  });
}

function same(text: string): string {
  return text;
}

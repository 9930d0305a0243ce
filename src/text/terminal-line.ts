import {graphemes, width} from './width.ts';

/** The line that a terminal's cursor is on. */
export interface TerminalLine {
  /** What stands in each column; '' behind a character of two columns. */
  cells: string[];
  /** The cursor's column, from 0; may lie behind the last cell. */
  column: number;
}

const TAB_STOP = 8;
/** Longer lines are wrapped, as every terminal does; it also bounds what a hostile cursor movement can cost. */
const MAX_COLUMNS = 4096;

export function lineOf(text: string): TerminalLine {
  const line: TerminalLine = {cells: [], column: 0};
  for (const grapheme of graphemes(text)) put(line, grapheme);
  return line;
}

/** Writes text without control characters at the cursor; returns what was pushed out of a full line. */
export function write(line: TerminalLine, text: string): string {
  let full = '';
  for (const grapheme of graphemes(text)) {
    if (line.column >= MAX_COLUMNS) {
      full += line.cells.join('');
      line.cells = [];
      line.column = 0;
    }
    put(line, grapheme);
  }
  return full;
}

function put(line: TerminalLine, grapheme: string): void {
  const {cells, column} = line;
  const columns = width(grapheme);
  while (cells.length < column) cells.push(' ');
  if (columns === 0) {
    // A mark belongs to the character before it.
    const at = cells[column - 1] === '' ? column - 2 : column - 1;
    if (at >= 0) cells[at] += grapheme;
    return;
  }
  // Half of a wide character that is overwritten takes the other half with it.
  if (cells[column] === '') cells[column - 1] = ' ';
  cells[column] = grapheme;
  for (let next = column + 1; next < column + columns; next++) cells[next] = '';
  line.column = column + columns;
  if (cells[line.column] === '') cells[line.column] = ' ';
}

export function moveTo(line: TerminalLine, column: number): void {
  line.column = Math.max(0, Math.min(MAX_COLUMNS, column));
}

/** Moves to the next multiple of 8. */
export function tab(line: TerminalLine): void {
  moveTo(line, line.column + TAB_STOP - (line.column % TAB_STOP));
}

/** `EL`, and what `ED` does to this line: 0 erases from the cursor on, 1 up to it, 2 everything. */
function erase(line: TerminalLine, what: number): void {
  const {cells, column} = line;
  if (what === 2) {
    line.cells = [];
  } else if (what === 1) {
    // As in put: no half of a wide character stays alone.
    if (cells[column + 1] === '') cells[column + 1] = ' ';
    cells.fill(' ', 0, column + 1);
  } else {
    if (cells[column] === '') cells[column - 1] = ' ';
    cells.length = Math.min(cells.length, column);
  }
}

/** True where nothing stands and the cursor is at the start. */
export function isBlank({cells, column}: TerminalLine): boolean {
  return cells.length === 0 && column === 0;
}

/** Does what a control sequence (CSI) does to the line that the cursor is on; others leave it as it is. */
export function editLine(
  line: () => TerminalLine,
  {parameters, final}: {readonly parameters: string; readonly final: string},
): void {
  if (!'GCDKJ`'.includes(final)) return;
  const edited = line();
  const given = Number.parseInt(parameters, 10);
  const count = given > 0 ? given : 1;
  if (final === 'G' || final === '`') moveTo(edited, count - 1);
  else if (final === 'C') moveTo(edited, edited.column + count);
  else if (final === 'D') moveTo(edited, edited.column - count);
  else erase(edited, given || 0);
}

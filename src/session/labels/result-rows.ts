import {hasHidden} from '../../text/hidden.ts';
import {editLine, lineOf, moveTo, tab, write, type TerminalLine} from '../../text/terminal-output.ts';
import type {TerminalRow, TerminalRun, TerminalStyle, TerminalColor} from '../terminals/terminal-screen.ts';

/** Control sequences that a result may contain, in its exact reading: colors, and moves within a line. All others stay escaped. */
const TOKEN = /(?:␛\[|⟨U\+009B⟩)([\d;:]*)([mKGCDJ])|[␍␈]/g;

const STYLE = /(?:␛\[|⟨U\+009B⟩)[\d;:]*m/g;

interface Writer {
  readonly rows: TerminalRow[];
  runs: TerminalRun[];
  /** The current line with the style of each column, once the cursor has moved in it. */
  line: (TerminalLine & {readonly looks: (TerminalStyle | undefined)[]}) | undefined;
  style: TerminalStyle | undefined;
}

/** Returns a tool's result from its exact reading as a terminal would show it: with colors, and the final state of progress lines. */
function resultRows(exact: string): readonly TerminalRow[] {
  const text = exact.replace(/(?<!␍)␍+(?=\n|$)/g, '');
  const writer: Writer = {rows: [], runs: [], line: undefined, style: undefined};
  let at = 0;
  for (const found of text.matchAll(TOKEN)) {
    addText(writer, text.slice(at, found.index));
    const [token, parameters = '', final] = found;
    at = found.index + token.length;
    if (final === 'm') writer.style = styleAfter(writer.style, parameters);
    else if (final !== undefined) editLine(() => editable(writer), {parameters, final});
    else moveTo(editable(writer), token === '␍' ? 0 : editable(writer).column - 1);
  }
  addText(writer, text.slice(at));
  endLine(writer);
  return writer.rows;
}

/** A style that began further before the lines that are shown is not found. */
const STYLE_REACH = 4096;

interface NearRows {
  /** The number of lines from an end of the result. */
  readonly most: number;
  readonly keep: 'head' | 'tail';
}

/** Returns the rows of a few lines at an end of a result, and how many lines are left out. */
export function resultRowsNear(
  exact: string,
  {most, keep}: NearRows,
): {readonly rows: readonly TerminalRow[]; readonly hidden: number} {
  const lines = exact.split('\n');
  const hidden = Math.max(0, lines.length - most);
  if (hidden === 0) return {rows: resultRows(exact), hidden};
  if (keep === 'head') return {rows: resultRows(lines.slice(0, most).join('\n')), hidden};
  const shown = lines.slice(hidden).join('\n');
  const start = exact.length - shown.length;
  const styles = exact.slice(Math.max(0, start - STYLE_REACH), start).match(STYLE) ?? [];
  return {rows: resultRows(styles.join('') + shown), hidden};
}

/** Returns a whole result as text without colors. */
export function plainResult(exact: string): string {
  if (!hasHidden(exact)) return exact;
  return resultRows(exact)
    .map((row) => row.map(({text}) => text).join(''))
    .join('\n');
}

function addText(writer: Writer, text: string): void {
  for (const [index, part] of text.split('\n').entries()) {
    if (index > 0) endLine(writer);
    if (part === '') continue;
    const {line, style} = writer;
    if (line === undefined) writer.runs.push(runOf(part, style));
    else
      for (const [place, words] of part.split('\t').entries()) {
        if (place > 0) tab(line);
        const start = line.column;
        const full = write(line, words);
        if (full !== '') writer.rows.push([{text: full}]);
        for (let column = start; column < line.column; column++) line.looks[column] = style;
      }
  }
}

function endLine(writer: Writer): void {
  const {line, runs} = writer;
  writer.rows.push(line === undefined ? runs : runsOf(line));
  writer.runs = [];
  writer.line = undefined;
}

/** The current line as columns. */
function editable(writer: Writer): NonNullable<Writer['line']> {
  if (writer.line !== undefined) return writer.line;
  const looks = writer.runs.flatMap(({text, style}) => lineOf(text).cells.map(() => style));
  writer.line = Object.assign(lineOf(writer.runs.map(({text}) => text).join('')), {looks});
  return writer.line;
}

function runsOf({cells, looks}: NonNullable<Writer['line']>): TerminalRun[] {
  const runs: {text: string; style: TerminalStyle | undefined}[] = [];
  for (const [column, cell] of cells.entries()) {
    const last = runs.at(-1);
    const style = looks[column];
    if (last !== undefined && (cell === '' || last.style === style)) last.text += cell;
    else runs.push({text: cell, style});
  }
  return runs.map(({text, style}) => runOf(text, style));
}

function runOf(text: string, style: TerminalStyle | undefined): TerminalRun {
  return style === undefined ? {text} : {text, style};
}

type Attribute = Exclude<keyof TerminalStyle, 'foreground' | 'background'>;

const STARTS: Readonly<Record<number, Attribute>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  7: 'inverse',
  9: 'strikethrough',
};
const ENDS: Readonly<Record<number, readonly (keyof TerminalStyle)[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strikethrough'],
  39: ['foreground'],
  49: ['background'],
};

/** Returns the style after an SGR sequence; undefined for the default one. Unknown parameters are ignored. */
function styleAfter(before: TerminalStyle | undefined, parameters: string): TerminalStyle | undefined {
  let style: TerminalStyle = before ?? {};
  const codes = parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const isRgb = codes[index + 1] === 2;
      const color = isRgb ? rgb(codes.slice(index + 2, index + 5)) : palette(codes[index + 2]);
      style = withColor(style, code === 38 ? 'foreground' : 'background', color);
      index += isRgb ? 4 : 2;
    } else style = afterCode(style, code);
  }
  return Object.keys(style).length === 0 ? undefined : style;
}

function afterCode(style: TerminalStyle, code: number): TerminalStyle {
  const attribute = STARTS[code];
  if (attribute !== undefined) return {...style, [attribute]: true};
  if (code === 0) return {};
  const ended = ENDS[code];
  if (ended !== undefined)
    return Object.fromEntries(
      Object.entries(style).filter(([name]) => !ended.includes(name as keyof TerminalStyle)),
    );
  const side = (code >= 30 && code <= 37) || (code >= 90 && code <= 97) ? 'foreground' : 'background';
  const first = side === 'foreground' ? code : code - 10;
  if (first >= 30 && first <= 37) return withColor(style, side, first - 30);
  return first >= 90 && first <= 97 ? withColor(style, side, first - 90 + 8) : style;
}

function withColor(
  style: TerminalStyle,
  side: 'foreground' | 'background',
  color: TerminalColor | undefined,
): TerminalStyle {
  return color === undefined ? style : {...style, [side]: color};
}

function palette(number: number | undefined): TerminalColor | undefined {
  return number !== undefined && Number.isInteger(number) && number >= 0 && number <= 255
    ? number
    : undefined;
}

function rgb(parts: readonly number[]): TerminalColor | undefined {
  if (parts.length < 3 || parts.some((part) => palette(part) === undefined)) return undefined;
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

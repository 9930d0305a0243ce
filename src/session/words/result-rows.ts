import {hasHidden} from '../../text/hidden.ts';
import {editLine, lineOf, moveTo, tab, write, type TerminalLine} from '../../text/terminal-output.ts';
import type {TerminalRow, TerminalRun, TerminalStyle} from '../terminal-screen.ts';
import {styleAfter} from './result-style.ts';

/** What a result may do to how it looks, in its exact reading: colours, and moves within a line. All else stays an escape. */
const TOKEN = /(?:␛\[|⟨U\+009B⟩)([\d;:]*)([mKGCDJ])|[␍␈]/g;

interface Writer {
  readonly rows: TerminalRow[];
  runs: TerminalRun[];
  /** The current line once the cursor has moved in it, with the look of each of its columns. */
  line: (TerminalLine & {readonly looks: (TerminalStyle | undefined)[]}) | undefined;
  style: TerminalStyle | undefined;
}

/** The result of a tool, out of its exact reading, as a terminal would show it: in its colours, progress as it ended. */
export function resultRows(exact: string): readonly TerminalRow[] {
  const text = exact.replace(/␍+(?=\n|$)/g, '');
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

/** The same as text without colours. */
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

/** The current line in its columns. */
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

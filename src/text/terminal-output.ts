import {sanitize} from './sanitize.ts';
import {characterStart} from './truncate.ts';
import {graphemes, graphemeWidth} from './width.ts';

/** The plain text that results from a terminal's byte stream so far. */
interface TerminalText {
  /** Without control characters except line feeds. */
  readonly text: string;
  /** True once the start of the output was dropped to keep the limit. */
  readonly truncated: boolean;
  /** State for the next data: an incomplete sequence, the cursor's position in its line. Bounded; opaque. */
  readonly carry: string;
}

export const emptyTerminalText: TerminalText = {text: '', truncated: false, carry: ''};

/** The finished lines are one string that only grows, so that no output is scanned twice. */
interface Writer {
  finished: string;
  /** The current line as printed; what follows is in `line` once the cursor has moved in it. */
  printed: string;
  line: TerminalLine | undefined;
}

const PLAIN = /^[^\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]*$/;

/**
 * Adds decoded output of a terminal or a process, in chunks that may end anywhere. A carriage return, a backspace and cursor movements within a line overwrite
 * its text, so a progress bar shows its last state; other sequences are dropped, tabs become spaces. Keeps at most `limit` UTF-16 units, cut from the front at
 * a line break if there is one.
 */
export function appendTerminalText(previous: TerminalText, data: string, limit: number): TerminalText {
  if (previous.carry === '' && PLAIN.test(data)) {
    return {...cut(previous.text + sanitize(data), limit, previous.truncated), carry: ''};
  }
  // CR LF ends a line at the cursor; handled separately from a lone CR, it costs no more than LF.
  const given = (previous.carry + data).replace(/(?<!\r)\r+\n/g, '\n');
  const input = given.replace(/(?<!\r)\r+$/, '');
  const held = input === given ? '' : '\r';
  const start = previous.text.lastIndexOf('\n') + 1;
  const [finished, printed] = [previous.text.slice(0, start), previous.text.slice(start)];
  const writer: Writer = {finished, printed, line: undefined};
  let at = 0;
  let rest = '';
  while (at < input.length) {
    const token = nextToken(input, at);
    if (token.kind === 'incomplete') rest = token.carry;
    else apply(writer, token);
    at = token.end;
  }
  const {line} = writer;
  const text = writer.finished + currentLine(writer);
  // In an empty line there is no character for a combining mark.
  const atEnd = line === undefined || (line.column > 0 && line.column === line.cells.length);
  return {
    ...cut(text, limit, previous.truncated),
    carry: (atEnd ? '' : `\x1b[${line.column + 1}G`) + rest + held,
  };
}

function apply(writer: Writer, token: Exclude<Token, {kind: 'incomplete'}>): void {
  switch (token.kind) {
    case 'text':
      if (writer.line) writer.printed += write(writer.line, sanitize(token.text));
      else writer.printed += sanitize(token.text);
      break;
    case 'control':
      control(writer, token.character);
      break;
    case 'csi':
      editLine(() => editable(writer), token);
      break;
    case 'ignored':
      break;
  }
}

function control(writer: Writer, character: string): void {
  switch (character) {
    case '\n':
    case '\v':
    case '\f':
    case '\x85':
    case '\u2028':
    case '\u2029':
      writer.finished += `${currentLine(writer)}\n`;
      writer.printed = '';
      writer.line = undefined;
      break;
    case '\r':
      moveTo(editable(writer), 0);
      break;
    case '\b':
      moveTo(editable(writer), editable(writer).column - 1);
      break;
    case '\t':
      tab(editable(writer));
      break;
  }
}

function currentLine({printed, line}: Writer): string {
  return printed + (line?.cells.join('') ?? '');
}

/** Moves the current line out of the printed text; of a long one the end, as if it were wrapped. */
function editable(writer: Writer): TerminalLine {
  if (writer.line === undefined) {
    const {printed} = writer;
    const start = characterStart(
      printed,
      Math.floor(Math.max(0, printed.length - 1) / MAX_COLUMNS) * MAX_COLUMNS,
    );
    writer.line = lineOf(printed.slice(start));
    writer.printed = printed.slice(0, start);
  }
  return writer.line;
}

/** Drops a quarter more than necessary, so that the text is not copied for every chunk. */
function cut(text: string, limit: number, truncated: boolean): Pick<TerminalText, 'text' | 'truncated'> {
  if (text.length <= limit) return {text, truncated};
  const kept = limit - Math.floor(limit / 4);
  const from = text.length - kept;
  const lineEnd = text.indexOf('\n', from - 1);
  const atLine = lineEnd !== -1 && lineEnd < from + kept / 2;
  const inPair = /[\udc00-\udfff]/.test(text.charAt(from));
  return {text: text.slice(atLine ? lineEnd + 1 : inPair ? from + 1 : from), truncated: true};
}

/** The line of a terminal's cursor. */
export interface TerminalLine {
  /** The text of each column; '' after a two-column character. */
  cells: string[];
  /** The cursor's column, from 0; may be after the last cell. */
  column: number;
}

const TAB_STOP = 8;
/** Longer lines are wrapped, as in terminals; this also limits the cost of hostile cursor movements. */
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
  const columns = graphemeWidth(grapheme);
  while (cells.length < column) cells.push(' ');
  if (columns === 0) {
    // A combining mark belongs to the character before it.
    const at = cells[column - 1] === '' ? column - 2 : column - 1;
    if (at >= 0) cells[at] += grapheme;
    return;
  }
  // Overwriting half of a wide character erases the other half.
  if (cells[column] === '') cells[column - 1] = ' ';
  cells[column] = grapheme;
  for (let next = column + 1; next < column + columns; next++) cells[next] = '';
  line.column = column + columns;
  if (cells[line.column] === '') cells[line.column] = ' ';
}

/** A cursor moves no further than this beyond a line: more columns no terminal has, and each would be a blank. */
const MAX_GAP = 512;

export function moveTo(line: TerminalLine, column: number): void {
  const most = Math.min(MAX_COLUMNS, Math.max(line.cells.length, MAX_GAP));
  line.column = Math.max(0, Math.min(most, column));
}

/** Moves to the next tab stop. */
export function tab(line: TerminalLine): void {
  moveTo(line, line.column + TAB_STOP - (line.column % TAB_STOP));
}

/** `EL`, and the effect of `ED` on this line: 0 erases from the cursor on, 1 up to it, 2 everything. */
function erase(line: TerminalLine, what: number): void {
  const {cells, column} = line;
  if (what === 2) {
    line.cells = [];
  } else if (what === 1) {
    // No half of a wide character is left.
    if (cells[column + 1] === '') cells[column + 1] = ' ';
    cells.fill(' ', 0, column + 1);
  } else {
    if (cells[column] === '') cells[column - 1] = ' ';
    cells.length = Math.min(cells.length, column);
  }
}

/** True if the screen is empty and the cursor is at its start. */
export function isBlank({cells, column}: TerminalLine): boolean {
  return cells.length === 0 && column === 0;
}

/** Applies a control sequence (CSI) to the cursor's line; others have no effect. */
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

/** A token of a terminal's byte stream; `end` is the start of the next one. */
export type Token = {readonly end: number} & (
  | {readonly kind: 'text'; readonly text: string}
  | {readonly kind: 'control'; readonly character: string}
  | {readonly kind: 'csi'; readonly parameters: string; readonly final: string}
  | {readonly kind: 'ignored'}
  /** The input ends inside a sequence; `carry` is prepended to the next input. */
  | {readonly kind: 'incomplete'; readonly carry: string}
);

const TEXT = /[^\x00-\x1f\x7f-\x9f\u2028\u2029]+/y;
const CSI = /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])?/y;
const ESCAPE = /\x1b[ -/]*([0-~])?/y;
/** OSC ends at a line feed too: a stray one must not swallow the rest of the output. */
const OSC = /(\x1b\]|\x9d)[^\x07\n\x18\x1a\x1b\x9c]*(\x1b\\|[\x07\x18\x1a\x9c])?/y;
const STRING = /(\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x18\x1a\x1b\x9c]*(\x1b\\|[\x18\x1a\x9c])?/y;

/** A longer unterminated sequence is not one. */
const MAX_SEQUENCE = 256;

export function nextToken(input: string, at: number): Token {
  const text = match(TEXT, input, at);
  if (text) return textToken(text[0], at, input.length);
  const csi = match(CSI, input, at);
  if (csi) {
    const [sequence, parameters = '', final] = csi;
    if (final !== undefined) return {kind: 'csi', parameters, final, end: at + sequence.length};
    return unfinished(sequence, at, input.length);
  }
  const string = match(OSC, input, at) ?? match(STRING, input, at);
  if (string) {
    const [sequence, introducer = '', terminator] = string;
    return stringToken({introducer, terminated: terminator !== undefined, end: at + sequence.length}, input);
  }
  const escape = match(ESCAPE, input, at);
  if (escape) {
    if (escape[1] !== undefined) return {kind: 'ignored', end: at + escape[0].length};
    return unfinished(escape[0], at, input.length);
  }
  return {kind: 'control', character: input.charAt(at), end: at + 1};
}

/** Half of a surrogate pair at the end waits for its other half. */
function textToken(text: string, at: number, length: number): Token {
  const end = at + text.length;
  if (end < length || !/[\ud800-\udbff]$/.test(text)) return {kind: 'text', text, end};
  if (text.length === 1) return {kind: 'incomplete', carry: text, end};
  return {kind: 'text', text: text.slice(0, -1), end: end - 1};
}

function unfinished(sequence: string, at: number, length: number): Token {
  const end = at + sequence.length;
  if (end < length || sequence.length > MAX_SEQUENCE) return {kind: 'ignored', end};
  return {kind: 'incomplete', carry: sequence, end};
}

/** The payload of a string is ignored, so only its introducer is carried. */
function stringToken(
  {introducer, terminated, end}: {introducer: string; terminated: boolean; end: number},
  input: string,
): Token {
  if (terminated) return {kind: 'ignored', end};
  if (end === input.length) return {kind: 'incomplete', carry: introducer, end};
  const splitTerminator = input.charAt(end) === '\x1b' && end + 1 === input.length;
  return splitTerminator
    ? {kind: 'incomplete', carry: `${introducer}\x1b`, end: end + 1}
    : {kind: 'ignored', end};
}

function match(pattern: RegExp, input: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(input);
}

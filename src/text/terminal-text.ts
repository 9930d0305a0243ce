import {sanitize} from './sanitize.ts';
import {nextToken, type Token} from './terminal-tokens.ts';
import {editLine, lineOf, moveTo, tab, write, type TerminalLine} from './terminal-line.ts';

/** The plain text that a terminal's byte stream leaves behind, as far as it has come. */
export interface TerminalText {
  /** No control characters but line feeds. */
  readonly text: string;
  /** True once the start of the output was dropped to keep the limit. */
  readonly truncated: boolean;
  /** What the next data continues: an unfinished sequence, the cursor's place in its line. Bounded; opaque. */
  readonly carry: string;
}

export const emptyTerminalText: TerminalText = {text: '', truncated: false, carry: ''};

/** Until a line is edited, the text is one string that only grows; so most output is never looked at twice. */
interface Writer {
  text: string;
  /** The current line, once the cursor has moved in it; not in `text` then. */
  line: TerminalLine | undefined;
}

const PLAIN = /^[^\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]*$/;

/**
 * Adds decoded output of a terminal or a process, in chunks that may end anywhere. A carriage return, a backspace and
 * cursor movements within a line overwrite what stands there, so a progress bar shows its last state; other sequences
 * are dropped, tabs become spaces. Keeps at most `limit` UTF-16 units, cut from the front at a line where there is one.
 */
export function appendTerminalText(previous: TerminalText, data: string, limit: number): TerminalText {
  if (previous.carry === '' && PLAIN.test(data)) {
    return {...cut(previous.text + sanitize(data), limit, previous.truncated), carry: ''};
  }
  // CR LF ends a line where the cursor stands; told apart from a CR alone, it costs no more than LF.
  const given = (previous.carry + data).replace(/\r+\n/g, '\n');
  const input = given.replace(/\r+$/, '');
  const held = input === given ? '' : '\r';
  const writer: Writer = {text: previous.text, line: undefined};
  let at = 0;
  let rest = '';
  while (at < input.length) {
    const token = nextToken(input, at);
    if (token.kind === 'incomplete') rest = token.carry;
    else apply(writer, token);
    at = token.end;
  }
  const {line} = writer;
  const text = writer.text + (line?.cells.join('') ?? '');
  const atEnd = line === undefined || line.column === line.cells.length;
  return {
    ...cut(text, limit, previous.truncated),
    carry: (atEnd ? '' : `\x1b[${line.column + 1}G`) + rest + held,
  };
}

function apply(writer: Writer, token: Exclude<Token, {kind: 'incomplete'}>): void {
  switch (token.kind) {
    case 'text':
      if (writer.line) writer.text += write(writer.line, sanitize(token.text));
      else writer.text += sanitize(token.text);
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
      writer.text += `${writer.line?.cells.join('') ?? ''}\n`;
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

/** Takes the current line out of the text. */
function editable(writer: Writer): TerminalLine {
  if (writer.line === undefined) {
    const start = writer.text.lastIndexOf('\n') + 1;
    writer.line = lineOf(writer.text.slice(start));
    writer.text = writer.text.slice(0, start);
  }
  return writer.line;
}

/** Drops a quarter more than it must, so that the text is not copied for every chunk. */
function cut(text: string, limit: number, truncated: boolean): Pick<TerminalText, 'text' | 'truncated'> {
  if (text.length <= limit) return {text, truncated};
  const kept = limit - Math.floor(limit / 4);
  const from = text.length - kept;
  const lineEnd = text.indexOf('\n', from - 1);
  const atLine = lineEnd !== -1 && lineEnd < from + kept / 2;
  const inPair = /[\udc00-\udfff]/.test(text.charAt(from));
  return {text: text.slice(atLine ? lineEnd + 1 : inPair ? from + 1 : from), truncated: true};
}

import {
  editLine,
  isBlank,
  lineOf,
  moveTo,
  tab,
  write,
  type TerminalLine,
  nextToken,
  type Token,
} from './terminal-output.ts';

/** A longer line becomes final before its end. */
const MAX_LINE_LENGTH = 64 * 1024;

/** Output without control sequences. */
const PLAIN = /^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$/;

/** The current line: as printed, until it is overwritten. */
interface Line {
  plain: string;
  edited: TerminalLine | undefined;
}

/**
 * Converts command output to plain text: line ends become LF, colors and other control sequences are removed, and an overwritten line shows its final state.
 * Everything else is unchanged, including tabs and blanks.
 */
export function createPlainOutput() {
  const line: Line = {plain: '', edited: undefined};
  let carry = '';

  function interpret(data: string): string {
    // A program that prints CR LF itself prints CR CR LF in a terminal.
    const input = (carry + data).replace(/(?<!\r)\r+\n/g, '\n');
    const ready = input.replace(/(?<!\r)\r+$/, '');
    const held = ready === input ? '' : '\r';
    carry = held;
    let settled = '';
    for (let at = 0; at < ready.length;) {
      const token = nextToken(ready, at);
      if (token.kind === 'incomplete') carry = token.carry + held;
      else settled += apply(line, token);
      at = token.end;
    }
    return settled;
  }

  return {
    /** Adds decoded output, split anywhere; returns the text that is final. */
    push(data: string) {
      if (carry !== '' || line.edited !== undefined || !PLAIN.test(data)) return interpret(data);
      const end = data.lastIndexOf('\n') + 1;
      const settled = end === 0 ? '' : take(line) + data.slice(0, end);
      return settled + append(line, data.slice(end));
    },
    /** Returns the line that may still change. */
    line: () => textOf(line),
  };
}

function apply(line: Line, token: Exclude<Token, {kind: 'incomplete'}>): string {
  switch (token.kind) {
    case 'text':
      return append(line, token.text);
    case 'csi':
      editLine(() => edit(line), token);
      return '';
    case 'control':
      return control(line, token.character);
    case 'ignored':
      return '';
  }
}

function control(line: Line, character: string): string {
  switch (character) {
    case '\n':
      return `${take(line)}\n`;
    case '\r':
      moveTo(edit(line), 0);
      return '';
    case '\b':
      moveTo(edit(line), edit(line).column - 1);
      return '';
    case '\0':
    case '\x07':
      return '';
    case '\t':
      if (line.edited === undefined || isBlank(line.edited)) return append(line, '\t');
      tab(line.edited);
      return '';
    default:
      return append(line, character);
  }
}

/** Writes text at the cursor; returns what became final. */
function append(line: Line, text: string): string {
  // An erased line counts as new.
  if (line.edited !== undefined && isBlank(line.edited)) take(line);
  if (line.edited !== undefined) return write(line.edited, text);
  line.plain += text;
  return line.plain.length > MAX_LINE_LENGTH ? take(line) : '';
}

/** Removes the line. */
function take(line: Line): string {
  const text = textOf(line);
  line.plain = '';
  line.edited = undefined;
  return text;
}

function textOf({plain, edited}: Line): string {
  return edited === undefined ? plain : edited.cells.join('');
}

function edit(line: Line): TerminalLine {
  line.edited ??= lineWithTabs(line.plain);
  return line.edited;
}

function lineWithTabs(text: string): TerminalLine {
  const [first = '', ...others] = text.split('\t');
  const line = lineOf(first);
  for (const other of others) {
    tab(line);
    write(line, other);
  }
  return line;
}

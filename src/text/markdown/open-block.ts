import {closingFence} from './fences.ts';

/** The block that the next line may continue. */
export type OpenBlock =
  | {readonly kind: 'nothing'}
  | {readonly kind: 'fence'; readonly close: RegExp; readonly opening: string}
  /** Something that only its own end finishes, inside of a text. */
  | {readonly kind: 'inner'; readonly until: RegExp; readonly within: OpenText}
  | OpenText;

/** Everything else: a paragraph, a list, a quote, a table, HTML, with all that follows without a blank line. */
interface OpenText {
  readonly kind: 'text';
  /** Lines that begin as such are good places to split a long one; undefined if it has none. */
  readonly parts: RegExp | undefined;
  /** The column of the text of a list's items; undefined without a list. Only lists and indented code continue over blank lines. */
  readonly content: number | undefined;
  /** True if nothing but a paragraph is in it, which any fence interrupts. */
  readonly isParagraph: boolean;
  /** True if its last line is a link definition. */
  readonly isDefinition: boolean;
  /** True if the next line may be one: it would not continue a paragraph. */
  readonly mayDefine: boolean;
  readonly previous: string;
  /** The first two lines of a table, which are repeated above its rows. */
  readonly head: string;
}

/** The effect of a line on the open block. */
interface LineEffect {
  readonly open: OpenBlock;
  /** The line starts a block: the one before is finished. */
  readonly endsBefore?: boolean;
  /** The line continues the block, but could also start one: a good place to split. */
  readonly cuttable?: boolean;
}

export const nothing: OpenBlock = {kind: 'nothing'};

const BLANK = /^[ \t]*$/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const RULE = /^ {0,3}(?:(?:-[\t ]*){3,}|(?:_[\t ]*){3,}|(?:\*[\t ]*){3,})$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const INDENTED = /^(?: {4}| {0,3}\t)/;
const QUOTE = /^ {0,3}>/;
const ITEM = /^( {0,3}(?:[*+-]|\d{1,9}[.)]))(?:([ \t].*)|$)/;
/** What ends a list that is not indented below its text, with or without a blank line. */
const ENDS_LIST = /^ {0,3}(?:#{1,6}(?:\s|$)|>|`{3}|~{3})/;
const ROW = /\|/;
const TABLE_RULE = /^ {0,3}(?:\| *)?:?-+:? *(?:\| *:?-+:? *)*(?:\| *)?$/;
/** A link definition; a footnote (`[^1]: …`) is text. */
const DEFINITION = /^ {0,3}\[(?!\^)(?:\\.|[^[\]\\])+\]:[ \t]*\S/;

/** A rule or the line below a title, and a comment of one line: a definition may follow. */
const ENDS_PARAGRAPH = /^ {0,3}(?:-{3,}|<!--.*-->)[ \t]*$/;

/** HTML that continues over blank lines, and its end. */
const HTML_UNTIL: readonly (readonly [start: RegExp, end: RegExp])[] = [
  ...['script', 'pre', 'style', 'textarea'].map(
    (tag) => [new RegExp(`^ {0,3}<${tag}(?:[\\s>]|$)`, 'i'), new RegExp(`</${tag}>`, 'i')] as const,
  ),
  [/^ {0,3}<!--/, /-->|^ {0,3}<!--?>/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<![a-z]/i, />/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
];

/**
 * Returns the effect of `line` (without its line feed) on the open block; `afterBlank` is true after a blank line. A block ends where marked's lexer ends one
 * whatever follows: at a blank line, or before a line that cannot continue it. Where that depends on details, it does not end yet.
 */
export function effectOfLine(open: OpenBlock, line: string, afterBlank: boolean): LineEffect {
  const isBlank = BLANK.test(line);
  switch (open.kind) {
    case 'nothing':
      return isBlank ? {open} : {open: opened(line), endsBefore: true};
    case 'fence':
      return {open: open.close.test(line) ? nothing : open};
    case 'inner':
      return {open: open.until.test(line) ? open.within : open};
    case 'text':
      if (isBlank) return {open: open.content === undefined ? nothing : open};
      if (afterBlank && !/^[ \t]/.test(line) && !ITEM.test(line))
        return {open: opened(line), endsBefore: true};
      return continued(open, line);
  }
}

function opened(line: string): OpenBlock {
  const close = closingFence(line);
  if (close) return {kind: 'fence', close, opening: line};
  if (HEADING.test(line)) return nothing;
  const isIndented = INDENTED.test(line);
  const text: OpenText = {
    kind: 'text',
    parts: isIndented ? INDENTED : QUOTE.test(line) ? QUOTE : undefined,
    content: isIndented ? 0 : undefined,
    isParagraph: !isIndented,
    isDefinition: false,
    mayDefine: true,
    previous: '',
    head: '',
  };
  return continued(text, line).open;
}

function continued(open: OpenText, line: string): LineEffect {
  const {content = Infinity, previous, parts, isParagraph} = open;
  const isInItem = line.search(/[^ ]/) >= content && content > 0;
  const isRule = RULE.test(line);
  const close = isInItem ? undefined : closingFence(line);
  if (isParagraph && previous !== '') {
    if (close) return {open: {kind: 'fence', close, opening: line}, endsBefore: true};
    if (HEADING.test(line) || (isRule && !UNDERLINE.test(line))) return {open: nothing, endsBefore: true};
  }
  const [, item, rest = ''] = (!isInItem && !isRule && ITEM.exec(line)) || [];
  const isHead = TABLE_RULE.test(line) && cellsOf(line) > 0 && cellsOf(line) === cellsOf(previous);
  // Indented code, where nothing else can be continued.
  const afterList = !isParagraph && INDENTED.test(line) ? 0 : undefined;
  const isListOver = !isInItem && (isRule || ENDS_LIST.test(line));
  const isDefinition = open.mayDefine && DEFINITION.test(line);
  const within: OpenText = {
    kind: 'text',
    parts: item ? ITEM : isHead ? ROW : parts,
    content:
      item === undefined ? (isListOver ? afterList : (open.content ?? afterList)) : contentOf(item, rest),
    isParagraph: isParagraph && !item && !isRule && !UNDERLINE.test(line) && !/^ {0,3}[<>]/.test(line),
    isDefinition,
    mayDefine: isDefinition || ((open.mayDefine || isParagraph) && ENDS_PARAGRAPH.test(line)),
    previous: line,
    head: isHead ? `${previous}\n${line}\n` : open.head,
  };
  const [, until] = HTML_UNTIL.find(([start]) => start.test(line)) ?? [];
  const inner = close ?? (until?.test(line) ? undefined : until);
  return {
    open: inner ? {kind: 'inner', until: inner, within} : within,
    cuttable: !isInItem && parts?.test(line) === true,
  };
}

/** Returns the column of an item's text; of an empty one, whatever is indented may belong to it. */
function contentOf(bullet: string, rest: string): number {
  return rest.trim() === '' ? Infinity : bullet.length + 1;
}

/** Returns the number of cells in a table row; 0 without a pipe. */
function cellsOf(line: string): number {
  const bars =
    line
      .trim()
      .replaceAll(/^\||(?<!\\)\|$/g, '')
      .match(/(?<!\\)\|/g)?.length ?? 0;
  return line.includes('|') ? bars + 1 : 0;
}

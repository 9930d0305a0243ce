import {
  getDefaults,
  Lexer,
  Tokenizer,
  type Token,
  type TokensList,
  type MarkedToken,
  type Tokens,
} from 'marked';
import {wrap} from '../wrap.ts';
import {codePieceLines, codeLines} from './code.ts';
import {inlineFormatter, withTargetLimit} from './inline.ts';
import {plainLines} from './plain.ts';
import {proseColumns, type Block, type MarkdownStyle, type RenderOptions} from './style.ts';
import {width} from '../width.ts';
import {addAll, maxOf} from '../lists.ts';

/** The size that the links of any block may have when they are drawn, and how many times as long as its source they may be. */
const LINKS = 65_536;
const LINK_GROWTH = 16;

/** Returns a block of sanitized Markdown as styled lines, without surrounding blank lines. */
export function renderBlock(block: Block, options: RenderOptions): string[] {
  const most = LINKS + LINK_GROWTH * block.source.length;
  const draw = (style: MarkdownStyle) => withTargetLimit(most, () => linesOf(block, {...options, style}));
  try {
    const lines = draw(options.style);
    return linkedLength(lines) > most ? draw({...options.style, hyperlinks: false}) : lines;
  } catch (error) {
    // A thousand nested quotes exhaust the stack. Whatever marked fails on is shown as plain text.
    if (!(error instanceof Error)) throw error;
    return plainLines(block, options.columns);
  }
}

/** Returns the length of all lines with terminal hyperlinks, which repeat the link's target. */
function linkedLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + (line.includes('\x1b]8;') ? line.length : 0), 0);
}

function linesOf(block: Block, options: RenderOptions): string[] {
  switch (block.kind) {
    case 'markdown':
      return layOut(ownTokens(block), {...options, showsDefinitions: block.showsDefinitions === true});
    case 'code':
      return codePieceLines(block, options);
    case 'text': {
      const text = block.source.replace(/^\n+/, '').trimEnd();
      const tokens = lexInline(text);
      return text === '' ? [] : wrap(inlineFormatter(options.style)(tokens), proseColumns(options));
    }
  }
}

/** Returns the tokens of a block, without the definitions that it was given. */
function ownTokens({context, source}: Block): readonly Token[] {
  let at = 0;
  return lexBlocks(context + source).filter(({type, raw}) => {
    const isGiven = at < context.length;
    at += raw.length;
    return !(isGiven && type === 'def');
  });
}

const QUOTE = /^ {0,3}>/;
const TAG = /^ {0,3}</;

/** True for a footnote. marked reads one of one word (`[^1]: see`) as a link definition, which is invisible. */
export const isFootnote = (source: string): boolean => /^ {0,3}\[\^/.test(source);

/** marked's tokenizer, except for footnotes. */
class BlockTokenizer extends Tokenizer {
  override def(source: string): ReturnType<Tokenizer['def']> {
    return isFootnote(source) ? undefined : super.def(source);
  }

  // Compiling marked's patterns of these blocks takes longer than reading a whole answer that has none of them.
  override blockquote(source: string): ReturnType<Tokenizer['blockquote']> {
    return QUOTE.test(source) ? super.blockquote(source) : undefined;
  }

  override html(source: string): ReturnType<Tokenizer['html']> {
    return TAG.test(source) ? super.html(source) : undefined;
  }
}

const createLexer = (): Lexer => new Lexer({...getDefaults(), tokenizer: new BlockTokenizer()});

/** Returns the block tokens of a Markdown source. */
export function lexBlocks(source: string): TokensList {
  return createLexer().lex(source);
}

/** Returns the inline tokens of a Markdown text. */
function lexInline(text: string): Token[] {
  return createLexer().inlineTokens(text);
}

/** Minimum width of text next to a marker; below it the marker gets its own line. */
const MIN_TEXT = 4;
const MAX_RULE = 80;

interface TokenOptions extends RenderOptions {
  readonly showsDefinitions?: boolean;
}

/** Returns block tokens as lines, with `between` between blocks that are not empty. */
function layOut(
  tokens: readonly Token[],
  options: TokenOptions,
  between: readonly string[] = [''],
): string[] {
  const lines: string[] = [];
  let before: string | undefined;
  for (const token of tokens) {
    const shown = tokenLines(token as MarkedToken, options);
    const isNextDefinition = token.type === 'def' && before === 'def';
    if (shown.length > 0 && lines.length > 0 && !isNextDefinition) addAll(lines, between);
    before = token.type;
    for (const line of shown) lines.push(line);
  }
  return lines;
}

function tokenLines(token: MarkedToken, options: TokenOptions): string[] {
  const {columns, style} = options;
  const format = inlineFormatter(style);
  switch (token.type) {
    case 'space':
    case 'checkbox':
      return [];
    case 'def':
      return options.showsDefinitions && token.tag !== '//'
        ? textLines(format(lexInline(token.raw.trim())), options)
        : [];
    case 'heading':
      return textLines(style.heading(format(token.tokens), token.depth), options);
    case 'hr':
      return [style.hr('─'.repeat(Math.max(1, Math.min(columns, MAX_RULE))))];
    case 'code':
      return codeLines(token.text, token.lang ?? '', options);
    case 'blockquote':
      return quoteLines(token, options);
    case 'list':
      return listLines(token, options);
    case 'table':
      return tableLines(token, options);
    case 'html':
      return wrap(token.text.trimEnd(), columns).map((line) => style.html(line));
    default:
      return textLines(format('tokens' in token && token.tokens ? token.tokens : [token]), options);
  }
}

function textLines(text: string, options: TokenOptions): string[] {
  return text.trim() === '' ? [] : wrap(text, proseColumns(options));
}

function quoteLines(token: Tokens.Blockquote, options: TokenOptions): string[] {
  const bar = `${options.style.quoteBar('│')} `;
  const columns = options.columns - 2;
  if (columns < MIN_TEXT) return layOut(token.tokens, options);
  return layOut(token.tokens, {...options, columns}).map((line) =>
    line === '' ? bar.trimEnd() : bar + options.style.quote(line),
  );
}

function listLines(list: Tokens.List, options: TokenOptions): string[] {
  const marks = list.items.map((item, index) => markOf(list, item, index));
  // Numbers are right-aligned.
  const longest = list.ordered ? marks.reduce((most, mark) => Math.max(most, width(mark)), 0) : 0;
  const between = list.loose ? [''] : [];
  return list.items.flatMap((item, index) => {
    const mark = marks[index] ?? '';
    const lines = itemLines(item, {mark: mark.padStart(longest), options, between});
    return index > 0 ? [...between, ...lines] : lines;
  });
}

/** A bullet or a number; for a task its checkbox. */
function markOf(list: Tokens.List, item: Tokens.ListItem, index: number): string {
  const bullet = list.ordered ? `${(list.start || 0) + index}. ` : '• ';
  if (!item.task) return bullet;
  const box = item.checked ? '[x] ' : '[ ] ';
  return list.ordered ? bullet + box : box;
}

interface ItemLayout {
  readonly mark: string;
  readonly options: TokenOptions;
  readonly between: readonly string[];
}

function itemLines(item: Tokens.ListItem, {mark, options, between}: ItemLayout): string[] {
  const {columns, style} = options;
  const indent = width(mark);
  const styled = style.bullet(mark.trimEnd());
  if (columns - indent < MIN_TEXT) {
    return [...wrap(styled, columns), ...layOut(item.tokens, options, between)];
  }
  const [first = '', ...rest] = layOut(item.tokens, {...options, columns: columns - indent}, between);
  const margin = ' '.repeat(indent);
  return [
    first === '' ? styled : `${styled} ${first}`,
    ...rest.map((line) => (line === '' ? '' : margin + line)),
  ];
}

const GAP = ' │ ';
const CROSS = '─┼─';
/** Minimum width of a column, unless its text is narrower. */
const MIN_COLUMN = 6;

/** Returns a table with aligned columns; if they would be too narrow, each row as a list of its cells. */
function tableLines(table: Tokens.Table, options: TokenOptions): string[] {
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

/** Returns column widths that fit; the widest columns shrink first. Undefined if there is not enough space. */
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
  const height = maxOf(cells.map(({length}) => length));
  return Array.from({length: height}, (_, line) =>
    cells
      .map((lines, column) => aligned(lines[line] ?? '', widths[column] ?? 0, align[column]))
      .join(gap)
      .replace(/(?<! ) +$/, ''),
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

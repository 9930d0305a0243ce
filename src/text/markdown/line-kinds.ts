/** How lines start and end blocks, exactly as in marked's block lexer. All patterns match one line. */

const TAGS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|meta|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|' +
  'tr|track|ul';
const ATTRIBUTE = String.raw`[ \t]+[a-z:_][\w.:-]*(?:[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|[^\s"'=<>${'`'}]+))?`;

const BLANK = /^[ \t]*$/;
const INDENTED = /^(?: {4}| {0,3}\t)/;
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;
const RULE = /^ {0,3}(?:(?:-[\t ]*){3,}|(?:_[\t ]*){3,}|(?:\*[\t ]*){3,})$/;
const QUOTE = /^ {0,3}>/;
const DEEP_QUOTE = /^(?: {0,3}>){16}/;
const ITEM = /^( {0,3}(?:[*+-]|\d{1,9}[.)]))(?:([ \t].*)|$)/;
const ITEM_AFTER_TEXT = /^ {0,3}(?:[*+-]|1[.)])[ \t]+[^ \t]/;
const ITEM_AFTER_ROW = /^ {0,3}(?:[*+-]|1[.)])[ \t]/;
const ITEM_LIKE = /^ {0,3}(?:[*+-]|\d{1,9}[.)]) /;
const TABLE_LIKE = /^ {0,3}\|?(?:[:\- ]*\|)+[:\- ]*$/;
const MARKS = /^ {0,3}(?:(?:[*+-]|\d{1,9}[.)])[ \t]+|>[ \t]?)+/;
const FENCE_LIKE = /^ {0,3}(?:`{3}|~{3})/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** A link definition; a footnote (`[^1]: …`) is text. */
const DEFINITION = /^ {0,3}\[(?!\^)(?:\\.|[^[\]\\])+\]:[ \t]*\S/;
const TABLE_RULE = /^ {0,3}(?:\| *)?:?-+:? *(?:\| *:?-+:? *)*(?:\| *)?$/;

/** Kinds of HTML blocks that continue over blank lines, with their ends. */
const HTML_UNTIL: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^ {0,3}<script(?:[\s>]|$)/i, /<\/script>/i],
  [/^ {0,3}<pre(?:[\s>]|$)/i, /<\/pre>/i],
  [/^ {0,3}<style(?:[\s>]|$)/i, /<\/style>/i],
  [/^ {0,3}<textarea(?:[\s>]|$)/i, /<\/textarea>/i],
  [/^ {0,3}<!--/, /-->|^ {0,3}<!--?>/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<![a-z]/i, />/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
];
const HTML_BLOCK = new RegExp(String.raw`^ {0,3}</?(?:${TAGS})(?:[ \t]|$|/?>)`, 'i');
const HTML_TAG = new RegExp(
  String.raw`^ {0,3}(?:<(?!(?:script|pre|style|textarea)(?![a-z0-9-]))[a-z][a-z0-9-]*(?:${ATTRIBUTE})*[ \t]*/?>|</[a-z][a-z0-9-]*\s*>)[ \t]*$`,
  'i',
);

/** The kind of block that a line starts. */
export type LineKind =
  | {readonly kind: 'blank' | 'indented' | 'heading' | 'rule' | 'quote' | 'text' | 'definition'}
  | {readonly kind: 'fence'; readonly close: RegExp}
  /** `content` is the column of the item's text; `empty` is true if there is none on this line. */
  | {readonly kind: 'item'; readonly content: number; readonly marker: string; readonly empty: boolean}
  /** `until` ends it; by default a blank line does. */
  | {readonly kind: 'html'; readonly until: RegExp | undefined};

/** Returns the kind of block that a line starts while no block is open. */
export function kindOf(line: string): LineKind {
  if (BLANK.test(line)) return {kind: 'blank'};
  if (INDENTED.test(line)) return {kind: 'indented'};
  return (
    fenceOf(line) ??
    plainKind(line) ??
    itemOf(line) ??
    htmlOf(line) ?? {kind: DEFINITION.test(line) ? 'definition' : 'text'}
  );
}

/** Returns the kind of block that interrupts a paragraph; `text` if the line continues it. */
export function kindInParagraph(line: string): LineKind {
  if (BLANK.test(line)) return {kind: 'blank'};
  const item = ITEM_AFTER_TEXT.test(line) ? itemOf(line) : undefined;
  return fenceOf(line) ?? plainKind(line) ?? item ?? htmlInParagraph(line) ?? {kind: 'text'};
}

/** The same below a table's header, which indented code and an empty item end as well. */
export function kindInTable(line: string): LineKind {
  return INDENTED.test(line) || (ITEM_AFTER_ROW.test(line) && !RULE.test(line))
    ? kindOf(line)
    : kindInParagraph(line);
}

/** The line under a paragraph that makes it a heading. */
export function isUnderline(line: string): boolean {
  return UNDERLINE.test(line);
}

/** True if a following underline would make the line a heading. */
export function canBeHeading(line: string): boolean {
  return !ITEM_LIKE.test(line) && !FENCE_LIKE.test(line) && !TABLE_LIKE.test(line);
}

/** True for the delimiter row of a table. */
export function isTableRule(line: string): boolean {
  return TABLE_RULE.test(line);
}

/** Returns a line of a quote without its marker; empty for quotes nested so deep that recursion would exhaust the stack. */
export function quoteContent(line: string): string {
  return DEEP_QUOTE.test(line) ? '' : line.replace(/^ {0,3}>[ \t]?/, '');
}

/** Returns the language of an opening fence, or ''. */
export function languageOf(opening: string): string {
  return opening.trim().replace(/^(?:`+|~+)\s*/, '');
}

/** Returns the languages of all fences of a source, including those in lists and quotes. */
export function languagesIn(source: string): readonly string[] {
  if (!source.includes('```') && !source.includes('~~~')) return [];
  const inner = source.split('\n').map((line) => withoutMarks(line).trim());
  const languages = inner.filter((line) => FENCE.test(line)).map(languageOf);
  return [...new Set(languages)].filter((language) => language !== '');
}

/** Returns a line without the markers of lists and quotes. */
export function withoutMarks(line: string): string {
  return line.replace(MARKS, '');
}

/** True if less indented text continues a list item's line (lazy continuation); false for code, headings and the like. */
export function allowsLazyContinuation(line: string): boolean {
  if (INDENTED.test(line) || FENCE_LIKE.test(line) || htmlInParagraph(line)) return false;
  const inner = withoutMarks(line);
  return ![line, inner].some((part) => HEADING.test(part) || RULE.test(part)) && !fenceOf(inner);
}

/** True for a line that ends a list item like a fence, without starting a code block. */
export function isFenceLike(line: string): boolean {
  return FENCE_LIKE.test(line);
}

/** Returns the number of cells in a table row; 0 without a pipe. */
export function cellsOf(line: string): number {
  const bars =
    line
      .trim()
      .replaceAll(/^\||(?<!\\)\|$/g, '')
      .match(/(?<!\\)\|/g)?.length ?? 0;
  return line.includes('|') ? bars + 1 : 0;
}

/** Returns the columns of leading whitespace, with tab stops every 4 columns. */
export function indentOf(line: string, from = 0): number {
  let column = from;
  for (const character of line) {
    if (character === ' ') column++;
    else if (character === '\t') column += 4 - (column % 4);
    else break;
  }
  return column - from;
}

function plainKind(line: string): LineKind | undefined {
  if (HEADING.test(line)) return {kind: 'heading'};
  if (RULE.test(line)) return {kind: 'rule'};
  return QUOTE.test(line) ? {kind: 'quote'} : undefined;
}

function fenceOf(line: string): LineKind | undefined {
  const fence = FENCE.exec(line)?.[2];
  if (fence === undefined) return undefined;
  const character = fence.charAt(0);
  return {kind: 'fence', close: new RegExp(`^ {0,3}${character}{${fence.length},} *$`)};
}

function itemOf(line: string): LineKind | undefined {
  const [, bullet, rest = ''] = ITEM.exec(line) ?? [];
  if (bullet === undefined) return undefined;
  const marker = bullet.trim();
  const empty = rest.trim() === '';
  const space = indentOf(rest, bullet.length);
  const content = bullet.length + (empty || space > 4 ? 1 : space);
  // Ordered items belong to the same list by the character after the number, others by their bullet.
  return {kind: 'item', content, empty, marker: marker.length > 1 ? marker.slice(-1) : marker};
}

function htmlOf(line: string): LineKind | undefined {
  const until = HTML_UNTIL.find(([start]) => start.test(line))?.[1];
  if (until) return {kind: 'html', until};
  return HTML_BLOCK.test(line) || HTML_TAG.test(line) ? {kind: 'html', until: undefined} : undefined;
}

/** A lone unknown tag does not end a paragraph. */
function htmlInParagraph(line: string): LineKind | undefined {
  const html = htmlOf(line);
  return html?.kind === 'html' && (html.until || HTML_BLOCK.test(line)) ? html : undefined;
}

/** A fenced code block. */
interface FencedBlock {
  /** The opening fence. */
  readonly fence: string;
  /** Its indentation. */
  readonly indent: number;
  readonly code: string;
  /** False if the text ended first. */
  readonly isClosed: boolean;
}

const OPENING = /^( *)(`{3,}(?!`)|~{3,}(?!~))(?!.*`)/;

/** Returns the fenced code blocks of a text, in order; including those in lists. */
export function fencedBlocks(markdown: string): readonly FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: {readonly fence: string; readonly indent: number; readonly lines: string[]} | undefined;
  const end = (isClosed: boolean) => {
    if (open) blocks.push({fence: open.fence, indent: open.indent, code: open.lines.join('\n'), isClosed});
    open = undefined;
  };
  for (const line of markdown.split('\n')) {
    if (!open) {
      const [, blanks = '', fence] = OPENING.exec(line) ?? [];
      if (fence !== undefined) open = {fence, indent: blanks.length, lines: []};
    } else if (closes(line.trim(), open.fence)) end(true);
    else open.lines.push(line.replace(new RegExp(`^ {0,${open.indent}}`), ''));
  }
  end(false);
  return blocks;
}

/** A closing fence has the same characters, and is at least as long. */
function closes(line: string, fence: string): boolean {
  return line.startsWith(fence) && line.replaceAll(fence.charAt(0), '') === '';
}

export interface Definitions {
  /** Adds a line that is a link definition. */
  add(line: string): void;
  /** Returns the definitions that a source refers to, as Markdown. */
  usedIn(source: string): string;
}

/** A complete definition according to marked: a line with more after its URL is text, and would be repeated before each block that refers to it. */
const WHOLE =
  /^ {0,3}\[(?:\\.|[^[\]\\])+\]:[ \t]*(?:<[^<>]*>|[^<\s]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;

/** Limits the cost of endless definitions. */
const MAX_DEFINITIONS = 2000;
/** The length of all definitions that a block gets: what is longer is not a link. */
const MAX_LENGTH = 32_768;

/** The link definitions of a message, for the blocks after them. The first definition of a label counts. */
export function createDefinitions(): Definitions {
  const lines = new Map<string, string>();
  return {
    add(line) {
      if (!WHOLE.test(line)) return;
      const key = normalize(line.slice(line.indexOf('[') + 1, line.indexOf(']:')));
      if (!lines.has(key) && lines.size < MAX_DEFINITIONS) lines.set(key, `${line}\n`);
    },
    usedIn(source) {
      if (lines.size === 0) return '';
      const used = new Set<string>();
      let room = MAX_LENGTH;
      for (const [, label = ''] of source.matchAll(/\\.|\[((?:\\.|[^[\]\\])+)\]/g)) {
        const line = lines.get(normalize(label));
        if (line === undefined || used.has(line) || line.length > room) continue;
        used.add(line);
        room -= line.length;
      }
      // The blank line prevents the source from being parsed as a title.
      return used.size === 0 ? '' : `${[...used].join('')}\n`;
    },
  };
}

function normalize(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

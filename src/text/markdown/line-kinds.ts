/** How lines begin and end blocks, exactly as marked's block lexer sees it. All patterns are for one line. */

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
  /** `until` ends it; without one a blank line does. */
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

/** The same below the head of a table, which indented code and an item without text end as well. */
export function kindInTable(line: string): LineKind {
  return INDENTED.test(line) || (ITEM_AFTER_ROW.test(line) && !RULE.test(line))
    ? kindOf(line)
    : kindInParagraph(line);
}

/** The line under a paragraph that makes it a heading. */
export function isUnderline(line: string): boolean {
  return UNDERLINE.test(line);
}

/** False for a line of a paragraph that keeps an underline from making it a heading. */
export function canBeHeading(line: string): boolean {
  return !ITEM_LIKE.test(line) && !FENCE_LIKE.test(line) && !TABLE_LIKE.test(line);
}

/** The second line of a table. */
export function isTableRule(line: string): boolean {
  return TABLE_RULE.test(line);
}

/** A line of a quote without its mark; nothing of quotes nested so deep that following them would exhaust the stack. */
export function quoteContent(line: string): string {
  return DEEP_QUOTE.test(line) ? '' : line.replace(/^ {0,3}>[ \t]?/, '');
}

/** The language named on the line that opens a fence, or ''. */
export function languageOf(opening: string): string {
  return opening.trim().replace(/^(?:`+|~+)\s*/, '');
}

/** The languages named on all fences of a source, also of those in lists and quotes. */
export function languagesIn(source: string): readonly string[] {
  if (!source.includes('```') && !source.includes('~~~')) return [];
  const inner = source.split('\n').map((line) => withoutMarks(line).trim());
  const languages = inner.filter((line) => FENCE.test(line)).map(languageOf);
  return [...new Set(languages)].filter((language) => language !== '');
}

/** The rest of a line behind the marks of lists and quotes. */
export function withoutMarks(line: string): string {
  return line.replace(MARKS, '');
}

/** True if a line of a list item is continued by text that is less indented; code, headings and the like are not. */
export function allowsLazyContinuation(line: string): boolean {
  if (INDENTED.test(line) || FENCE_LIKE.test(line) || htmlInParagraph(line)) return false;
  const inner = withoutMarks(line);
  return ![line, inner].some((part) => HEADING.test(part) || RULE.test(part)) && !fenceOf(inner);
}

/** True for what ends a list item, like a fence, without beginning a code block. */
export function isFenceLike(line: string): boolean {
  return FENCE_LIKE.test(line);
}

/** Cells of a table's row; 0 without any bar. */
export function cellsOf(line: string): number {
  const bars =
    line
      .trim()
      .replaceAll(/^\||(?<!\\)\|$/g, '')
      .match(/(?<!\\)\|/g)?.length ?? 0;
  return line.includes('|') ? bars + 1 : 0;
}

/** Columns of white space at the start, tabs up to the next multiple of 4. */
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
  // Ordered items belong together by what follows the number, others by the bullet.
  return {kind: 'item', content, empty, marker: marker.length > 1 ? marker.slice(-1) : marker};
}

function htmlOf(line: string): LineKind | undefined {
  const until = HTML_UNTIL.find(([start]) => start.test(line))?.[1];
  if (until) return {kind: 'html', until};
  return HTML_BLOCK.test(line) || HTML_TAG.test(line) ? {kind: 'html', until: undefined} : undefined;
}

/** A lone tag of no known name does not end a paragraph. */
function htmlInParagraph(line: string): LineKind | undefined {
  const html = htmlOf(line);
  return html?.kind === 'html' && (html.until || HTML_BLOCK.test(line)) ? html : undefined;
}

/** A code block between fences. */
interface FencedBlock {
  /** What opened it. */
  readonly fence: string;
  /** How far that was set in. */
  readonly indent: number;
  readonly code: string;
  /** False when the text ended first. */
  readonly isClosed: boolean;
}

const OPENING = /^( *)(`{3,}|~{3,})(?!.*`)/;

/** The code blocks between fences in a text, in order; also those in lists. */
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

/** A closing fence is of the same characters, and at least as long. */
function closes(line: string, fence: string): boolean {
  return line.startsWith(fence) && line.replaceAll(fence.charAt(0), '') === '';
}

export interface Definitions {
  /** Takes a line that is a link definition. */
  add(line: string): void;
  /** The definitions that a source refers to, as markdown. */
  usedIn(source: string): string;
}

/**
 * What marked takes for a whole definition: a line that has more behind its address is text, and would be shown again before
 * each block that refers to it.
 */
const WHOLE =
  /^ {0,3}\[(?:\\.|[^[\]\\])+\]:[ \t]*(?:<[^<>]*>|[^<\s]\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/;

/** Bounds what an endless list of definitions can cost. */
const MAX_DEFINITIONS = 2000;

/** Link definitions of a message, kept so that the blocks after them can use them. The first of a label counts. */
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
      for (const [, label = ''] of source.matchAll(/\[((?:\\.|[^[\]\\])+)\]/g)) {
        const line = lines.get(normalize(label));
        if (line !== undefined) used.add(line);
      }
      // The blank line keeps the source from being read as a title.
      return used.size === 0 ? '' : `${[...used].join('')}\n`;
    },
  };
}

function normalize(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

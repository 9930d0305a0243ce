import {
  canBeHeading,
  cellsOf,
  allowsLazyContinuation,
  indentOf,
  isFenceLike,
  isTableRule,
  isUnderline,
  kindInParagraph,
  kindInTable,
  kindOf,
  quoteContent,
  withoutMarks,
  type LineKind,
} from './line-kinds.ts';

/** The block that the next line may continue. */
export type OpenBlock =
  | {readonly kind: 'nothing' | 'indented' | 'definition'}
  /** A paragraph; `heading` is true if an underline would make it a heading. */
  | {readonly kind: 'text'; readonly heading: boolean; readonly previous: string}
  | {readonly kind: 'table'; readonly head: string}
  | {readonly kind: 'fence'; readonly close: RegExp; readonly opening: string}
  | {readonly kind: 'html'; readonly until: RegExp | undefined}
  | {readonly kind: 'quote'; readonly inner: OpenBlock}
  /** A list, represented by its top-level item; `lazy` is true if less indented text continues it. */
  | {readonly kind: 'item'; readonly item: Item; readonly lazy: boolean}
  /** Ambiguous: ends only where every possible block would; text indented by `content` may be in a list. */
  | {readonly kind: 'unsure'; readonly content: number};

type Item = LineKind & {readonly kind: 'item'};

/** The effect of a line on the open block. */
interface Step {
  readonly open: OpenBlock;
  /** The line starts a block: the one before is finished. */
  readonly endsBefore: boolean;
  /** The line finishes its block. */
  readonly endsAfter: boolean;
  /** The line continues the block, but could also start one: a good place to split. */
  readonly cuttable: boolean;
}

export const nothing: OpenBlock = {kind: 'nothing'};

/** Returns the effect of `line` (without its line feed) on the open block; `afterBlank` is true after a blank line. */
export function step(open: OpenBlock, line: string, afterBlank: boolean): Step {
  const kind = kindOf(line);
  switch (open.kind) {
    case 'nothing':
      return begin(kind, line);
    case 'definition':
      // Its title may be on the next line.
      return TITLE.test(line) ? stay({kind: 'text', heading: false, previous: ''}) : begin(kind, line);
    case 'fence':
      return open.close.test(line) ? finish : stay(open);
    case 'html':
      return (open.until ? open.until.test(line) : kind.kind === 'blank') ? finish : stay(open);
    case 'indented':
      if (kind.kind === 'blank') return stay(open);
      return kind.kind === 'indented' ? stay(open, true) : begin(kind, line);
    case 'text':
    case 'table':
      return kind.kind === 'blank' ? finish : inParagraph(open, line);
    case 'quote':
      return kind.kind === 'blank' ? finish : inQuote(open, line);
    case 'item':
      return kind.kind === 'blank' ? stay(open) : inList(open, line, afterBlank);
    case 'unsure':
      return kind.kind === 'blank' ? stay(open) : whenUnsure(open, line, afterBlank);
  }
}

const TITLE = /^[ \t]*["'(]/;

const finish: Step = {open: nothing, endsBefore: false, endsAfter: true, cuttable: false};

function stay(open: OpenBlock, cuttable = false): Step {
  return {open, endsBefore: false, endsAfter: false, cuttable};
}

function begin(kind: LineKind, line: string): Step {
  const open = opened(kind, line);
  return {open, endsBefore: kind.kind !== 'blank', endsAfter: open === nothing, cuttable: false};
}

function opened(kind: LineKind, line: string): OpenBlock {
  switch (kind.kind) {
    case 'blank':
    case 'heading':
    case 'rule':
      return nothing;
    case 'text':
      return {kind: 'text', heading: canBeHeading(line), previous: line};
    case 'fence':
      return {kind: 'fence', close: kind.close, opening: line};
    case 'html':
      return kind.until?.test(line) ? nothing : kind;
    case 'definition':
    case 'indented':
      return {kind: kind.kind};
    case 'quote':
      return {kind: 'quote', inner: step(nothing, quoteContent(line), false).open};
    case 'item':
      return {kind: 'item', item: kind, lazy: allowsLazyContinuation(withoutMarks(line.slice(kind.content)))};
  }
}

function inParagraph(open: OpenBlock & {kind: 'text' | 'table'}, line: string): Step {
  const kind = open.kind === 'table' ? kindInTable(line) : kindInParagraph(line);
  if (open.kind === 'text') {
    if (open.heading && isUnderline(line)) return finish;
    if (isTableRule(line)) return belowTableHead(open.previous, line);
  }
  if (kind.kind !== 'text') return begin(kind, line);
  if (open.kind === 'table') return stay(open, true);
  return stay({...open, heading: open.heading && canBeHeading(line), previous: line});
}

/** A line like a table's delimiter row ends the paragraph before the preceding line, whatever that line is then. */
function belowTableHead(previous: string, line: string): Step {
  const kind = kindOf(previous);
  const isTable = kind.kind === 'text' && cellsOf(line) > 0 && cellsOf(line) === cellsOf(previous);
  if (isTable) return stay({kind: 'table', head: `${previous}\n${line}\n`});
  return stay({kind: 'unsure', content: kind.kind === 'item' ? 2 : 4});
}

function inQuote(open: OpenBlock & {kind: 'quote'}, line: string): Step {
  const kind = kindInParagraph(line);
  if (kind.kind === 'quote') {
    return stay({kind: 'quote', inner: step(open.inner, quoteContent(line), false).open}, true);
  }
  if (kind.kind !== 'text') return begin(kind, line);
  const fresh = kindOf(line);
  switch (innermost(open.inner)) {
    case 'text':
      // A paragraph in a quote may continue without the marker, but every list ends it.
      return fresh.kind === 'item' ? begin(fresh, line) : stay(open);
    case 'item':
    case 'table':
    case 'definition':
    case 'unsure':
      return whenUnsure({kind: 'unsure', content: 4}, line, false);
    default:
      return begin(fresh, line);
  }
}

function innermost(open: OpenBlock): OpenBlock['kind'] {
  return open.kind === 'quote' ? innermost(open.inner) : open.kind;
}

function inList(open: OpenBlock & {kind: 'item'}, line: string, afterBlank: boolean): Step {
  const {item} = open;
  const indent = indentOf(line);
  // An item that starts with a blank line is empty.
  const isOver = item.empty && afterBlank;
  if ((indent < item.content || isOver) && indent <= 3) {
    const kind = kindOf(line);
    if (kind.kind === 'item' && kind.marker === item.marker) return stay(opened(kind, line), true);
    if (endsList(kind, line) || isFenceLike(line)) return begin(kind, line);
  }
  if (indent >= item.content && !isOver) {
    return stay({
      kind: 'item',
      item: {...item, empty: false},
      lazy: allowsLazyContinuation(line.slice(item.content)),
    });
  }
  if (afterBlank || item.empty || !open.lazy) return begin(kindOf(line), line);
  return stay({...open, lazy: allowsLazyContinuation(line.slice(item.content))});
}

function endsList(kind: LineKind, line: string): boolean {
  if (kind.kind === 'html') return kindInParagraph(line).kind === 'html';
  return ['fence', 'heading', 'rule', 'quote', 'item'].includes(kind.kind);
}

function whenUnsure(open: OpenBlock & {kind: 'unsure'}, line: string, afterBlank: boolean): Step {
  if (indentOf(line) >= open.content && !(afterBlank && indentOf(line) === 0)) return stay(open);
  const fresh = kindOf(line);
  const kind = afterBlank ? fresh : kindInParagraph(line);
  if (kind.kind === 'rule') return finish;
  if (kind.kind === 'quote') return stay(opened(kind, line));
  if (fresh.kind === 'item') {
    return stay(
      afterBlank ? opened(fresh, line) : {kind: 'unsure', content: Math.min(open.content, fresh.content)},
    );
  }
  if (kind.kind !== 'text' || afterBlank) return begin(kind, line);
  // A lone tag may start an HTML block, or continue a paragraph.
  return stay(fresh.kind === 'html' ? {kind: 'unsure', content: 0} : open);
}

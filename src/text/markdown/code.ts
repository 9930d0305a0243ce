import {sanitizeLine} from '../sanitize.ts';
import {width} from '../width.ts';
import {expandTabs, wrapHard} from '../wrap.ts';
import type {Block, RenderOptions} from './style.ts';
import {highlightLines} from './highlight.ts';
import {closingFence, languageOf} from './fences.ts';

const INDENT = '  ';
const TAB_STOP = 4;
/** Below this width the indentation takes too much space. */
const NARROW = 16;
/** Minimum width for a background. */
const NARROW_SURFACE = 36;

/** Returns a code block as lines: indented, hard-wrapped, and optionally highlighted. */
export function codeLines(code: string, language: string, options: RenderOptions): string[] {
  const lines = highlighted(withoutEnd(code.split('\n')), language, options);
  return laidOut(lines, options, labelOf(language));
}

/** Part of a fenced code block; the preceding lines give the highlighter its context. */
export function codePieceLines(block: Block, options: RenderOptions): string[] {
  const all = `${block.context}${block.source}`.replace(/^(?:[ \t]*\n)+/, '').split('\n');
  const opening = all.shift() ?? '';
  if (all.at(-1) === '') all.pop();
  const indent = indentOf(opening);
  if (block.last && closingFence(opening, indent > 0)?.test(all.at(-1) ?? '')) all.pop();
  const code = (block.last ? withoutEnd(all) : all).map((line) =>
    line.slice(Math.min(indent, indentOf(line))),
  );
  const before = block.first ? 0 : block.context.split('\n').length - 2;
  if (code.length <= before) return [];
  const language = languageOf(opening);
  const lines = highlighted(code, language, options).slice(before);
  return laidOut(lines, options, block.first ? labelOf(language) : '');
}

/** Without trailing blank lines. */
function withoutEnd(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  while (end > 1 && lines[end - 1] === '') end--;
  return lines.slice(0, end);
}

function indentOf(line: string): number {
  return line.length - line.replace(/^ +/, '').length;
}

function highlighted(
  lines: readonly string[],
  language: string,
  {highlight, style}: RenderOptions,
): string[] {
  const code = lines.map((line) => expandTabs(line, TAB_STOP)).join('\n');
  return highlightLines(code, highlight ? language : '', style.codeBlock);
}

/** The language of a fence, without the rest of the info string. */
function labelOf(language: string): string {
  return sanitizeLine(language.replace(/^[{.]+|[},:;\s].*$/g, ''));
}

/** The mark of a continuation row. */
const CONTINUED = '┆ ';

function laidOut(
  lines: readonly string[],
  {columns, style: {surface, label: styleLabel}}: RenderOptions,
  label: string,
): string[] {
  const indent = columns < NARROW ? '' : INDENT;
  if (surface === undefined || columns < NARROW_SURFACE)
    return lines.flatMap((line) =>
      wrapHard(line, columns - indent.length).map((row) => (row === '' ? '' : indent + row)),
    );
  const room = columns - 2 * INDENT.length;
  const rows = lines.flatMap((line) => {
    if (width(line) <= room) return [INDENT + line];
    const [first = '', ...rest] = wrapHard(line, room);
    return [INDENT + first, ...rest.map((row) => styleLabel(CONTINUED) + row)];
  });
  return rows.map((row, index) => {
    const left = columns - width(row);
    const isLabeled = index === 0 && label !== '' && width(label) + 2 <= left;
    const end = isLabeled ? `${' '.repeat(left - width(label) - 1)}${styleLabel(label)} ` : ' '.repeat(left);
    return surface(row + end);
  });
}

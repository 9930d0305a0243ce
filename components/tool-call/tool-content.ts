import type * as acp from '@agentclientprotocol/sdk/unstable';
import {attachmentLabel} from '../../src/session/labels/labels.ts';
import {withoutFence} from '../../src/session/labels/result-text.ts';
import {toolEnding} from '../../src/session/labels/tool-labels.ts';
import {resultRowsNear} from '../../src/session/labels/result-rows.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {TerminalRow, TerminalRun} from '../../src/session/terminals/terminal-screen.ts';
import {isHidden} from '../../src/session/transcript/content.ts';
import {hasHidden} from '../../src/text/hidden.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {startOfText} from '../../src/text/truncate.ts';
import {wrap} from '../../src/text/wrap.ts';
import {rowsOfExact, markEscapes} from '../theme/exact-text.ts';
import type {Theme} from '../theme/theme.tsx';
import {rowsBehindBar, collapse, wrapCollapsed, type CollapseOptions} from '../layout/lines.ts';
import {rowsOfPicture} from '../transcript/picture.ts';
import type {Rows} from '../layout/lazy-rows.ts';
import {type DiffContext, rowsOfExactDiff, mostLines} from './diff.ts';
import {attachmentRow, embeddedText} from './attachment.ts';
import {rowsOfAskedCommand} from './terminal-output.ts';

/** Returns the rows of a tool's content: text, and name, type and size of anything else. */
export function rowsOfContentItem(content: acp.ContentBlock, entry: ToolCallEntry, theme: Theme): string[] {
  if (isHidden(content)) return [];
  const rowsOfText = (text: string) => rowsBehindBar(theme, (inner) => rowsOfResultText(text, entry, inner));
  if (content.type === 'text') return rowsOfText(content.text);
  const picture = rowsBehindBar(theme, (inner) => rowsOfPicture(content, inner));
  return [attachmentRow(content, theme), ...picture, ...rowsOfText(embeddedText(content))];
}

function rowsOfResultText(result: string, entry: ToolCallEntry, theme: Theme): string[] {
  const text = withoutFence(result.trim());
  if (text === '') return [];
  const options = {most: mostLines(entry, theme), keep: entry.kind === 'execute' ? 'tail' : 'head'} as const;
  const style: Style = toolEnding(entry) === 'failed' ? theme.paint.error : (line) => line;
  if (hasHidden(text)) return rowsOfStyledText(text, {...options, style}, theme);
  if (options.most === 0 && text.includes('\n')) return collapse(text.split('\n'), options, theme);
  return wrapCollapsed(text, options, theme).map((line) => style(line));
}

/** Returns the rows of a result with colors or overwritten lines, folded; `style` is that of unstyled text. Draws hardly more than what is shown. */
function rowsOfStyledText(
  text: string,
  {style, ...options}: CollapseOptions & {readonly style: Style},
  theme: Theme,
): string[] {
  const {most, keep} = options;
  const {rows, hidden} = resultRowsNear(text, {most: most + 1, keep});
  if (most === 0 && rows.length + hidden > 1)
    return collapse([], {...options, hidden: rows.length + hidden}, theme);
  const near = keep === 'head' ? rows.slice(0, most + 1) : rows.slice(-most - 1);
  const longest = (most + 2) * theme.columns;
  const paintRun = (run: TerminalRun) =>
    markEscapes(run.style === undefined ? style(run.text) : theme.paint.run(run), theme);
  const lines = near.flatMap((row) => wrap(startOf(row, longest).map(paintRun).join(''), theme.columns));
  return collapse(lines, {...options, hidden: hidden + rows.length - near.length}, theme);
}

function startOf(row: TerminalRow, longest: number): TerminalRow {
  let left = longest;
  return row.flatMap(({text, ...look}) => {
    const shown = startOfText(text, left);
    left -= text.length;
    return shown === '' ? [] : [{...look, text: shown}];
  });
}

/** Returns the rows of content to be approved, including what is meant for the model only. */
function rowsOfExactBlock(content: acp.ContentBlock, theme: Theme): string[] {
  if (content.type === 'text') return rowsOfExact(content.text, theme);
  const text = embeddedText(content);
  const words = attachmentLabel(content, theme.cwd);
  return [
    ...rowsOfExact(words, theme).map((line) => theme.paint.link(line)),
    ...(text === '' ? [] : rowsOfExact(text, theme)),
  ];
}

/** Returns the rows of an item of a tool call's content to be approved: everything that will happen, exactly. */
export function rowsOfExactContent(content: acp.ToolCallContent, context: DiffContext, theme: Theme): Rows {
  switch (content.type) {
    case 'diff':
      return rowsOfExactDiff(content, context, theme);
    case 'terminal':
      return rowsOfAskedCommand(content, theme);
    case 'content':
      return rowsOfExactBlock(content.content, theme);
  }
}

import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isRunning} from '../../src/app/queue/shell-commands.ts';
import {exitLabel, mentionsCommand, saysCommand} from '../../src/session/labels/command-label.ts';
import {attachmentFacts, attachmentLabel, type AttachedContent} from '../../src/session/labels/labels.ts';
import {toolEnding, withoutFence} from '../../src/session/labels/tool-labels.ts';
import {resultRowsNear} from '../../src/session/labels/tool-results.ts';
import type {ToolCallEntry} from '../../src/session/entries.ts';
import type {TerminalState} from '../../src/session/state.ts';
import type {TerminalRow, TerminalRun, TerminalScreen} from '../../src/session/terminals/terminal-screen.ts';
import {isHidden} from '../../src/session/transcript/content.ts';
import {isFinished} from '../../src/session/transcript/tool-calls.ts';
import type {ProcessExit} from '../../src/shared/failure.ts';
import {hasHidden, escapeHiddenLine, onOneLine} from '../../src/text/hidden.ts';
import type {Style} from '../../src/text/markdown/style.ts';
import {startOfText, truncate} from '../../src/text/truncate.ts';
import {width} from '../../src/text/width.ts';
import {wrap} from '../../src/text/wrap.ts';
import {rowsOfExact, markEscapes} from '../theme/exact-text.ts';
import type {Theme, Extent} from '../theme/theme.tsx';
import {
  rowsBehindBar,
  collapse,
  indent,
  narrow,
  wrapCollapsed,
  wrapHead,
  type CollapseOptions,
} from '../layout/lines.ts';
import {paintedRow} from '../theme/paint.ts';
import {rowsOfPicture} from '../pictures/picture.ts';
import type {Rows} from '../layout/lazy-rows.ts';
import {type ContentContext, rowsOfDiff, rowsOfExactDiff, mostLines} from './diff.ts';

/** Returns the rows of a tool's content: text, and name, type and size of anything else. */
export function rowsOfContentItem({content}: acp.Content, context: ContentContext, theme: Theme): string[] {
  if (isHidden(content)) return [];
  const rowsOfText = (text: string) =>
    rowsBehindBar(theme, (inner) => rowsOfResultText(text, context, inner));
  if (content.type === 'text') return rowsOfText(content.text);
  const picture = rowsBehindBar(theme, (inner) => rowsOfPicture(content, inner));
  return [attachmentRow(content, theme), ...picture, ...rowsOfText(embeddedText(content))];
}

function rowsOfResultText(result: string, context: ContentContext, theme: Theme): string[] {
  const text = withoutFence(result.trim());
  if (text === '') return [];
  const options = {
    most: mostLines(context),
    keep: context.entry.kind === 'execute' ? 'tail' : 'head',
    ...(theme.extent === 'folded' && {how: howToSeeAll(theme)}),
  } as const;
  const style = toolEnding(context.entry) === 'failed' ? theme.paint.error : theme.paint.output;
  if (hasHidden(text)) return rowsOfStyledText(text, {...options, style}, theme);
  if (options.most === 0 && text.includes('\n')) return collapse(text.split('\n'), options, theme);
  return wrapCollapsed(text, options, theme).map((line) => style(line));
}

interface RowStyle extends Pick<CollapseOptions, 'most' | 'keep' | 'how'> {
  /** The style of unstyled text. */
  readonly style: Style;
}

/** Returns the rows of a result with colors or overwritten lines, folded; draws hardly more than what is shown. */
function rowsOfStyledText(text: string, {style, ...options}: RowStyle, theme: Theme): string[] {
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

const MAX_LINES = 12;

/** Returns the rows of a command: the command line, the end of its output, and how it failed. */
function rowsOfTerminal({terminalId}: acp.Terminal, {entry, extent}: ContentContext, theme: Theme): string[] {
  const terminal = theme.terminals[terminalId];
  if (terminal === undefined) return rowsOfUnknownTerminal(terminalId, theme);
  // A finished card is printed permanently, so its key hints would stay.
  const shown = isFinished(entry.status) ? {...terminal, released: true} : terminal;
  return [
    ...rowsOfTerminalState(shown, {title: entry.title, extent}, theme),
    ...rowsOfExit(terminal.exit, theme),
  ];
}

function rowsOfUnknownTerminal(id: string, {paint, columns}: Theme): string[] {
  return [paint.dim(truncate(`Terminal ${escapeHiddenLine(id)}`, columns))];
}

/** Output is not part of what is approved, and must not move what is being read. */
function rowsOfAskedCommand({terminalId}: acp.Terminal, title: string, theme: Theme): string[] {
  const terminal = theme.terminals[terminalId];
  if (terminal === undefined) return rowsOfUnknownTerminal(terminalId, theme);
  const words = `${theme.keyOf('open_transcript')} show output`;
  return [
    ...rowsOfCommand(terminal, {title, extent: 'exact'}, theme),
    theme.paint.dim(truncate(words, theme.columns)),
  ];
}

/** Returns the rows of a terminal's command and output, but not how it ended; `title` is already shown above it. */
export function rowsOfTerminalState(
  terminal: TerminalState,
  {title, extent}: {readonly title: string; readonly extent: Extent},
  theme: Theme,
): string[] {
  const most = extent === 'folded' ? MAX_LINES : Infinity;
  const output = rowsBehindBar(theme, (inner) => [
    ...(terminal.screen ? rowsOfScreen(terminal.screen, most, inner) : rowsOfOutput(terminal, most, inner)),
    ...rowsOfRunning(terminal, inner),
  ]);
  return [...rowsOfCommand(terminal, {title, extent}, theme), ...output];
}

function rowsOfScreen({rows, dropped}: TerminalScreen, most: number, theme: Theme): string[] {
  const first =
    dropped > 0
      ? 0
      : Math.max(
          0,
          rows.findIndex((row) => row.length > 0),
        );
  const hidden = Math.max(0, rows.length - first - most - 1);
  const lines = rows
    .slice(first + hidden)
    .flatMap((row) => wrap(paintedRow(row, theme.paint), theme.columns));
  return collapse(lines, {most, keep: 'tail', hidden: hidden + dropped, how: howToSeeAll(theme)}, theme);
}

function howToSeeAll({extent, keyOf}: Theme): string {
  return extent !== 'folded' ? 'not kept' : `${keyOf('open_transcript')} show all`;
}

/** For output that is not interpreted. */
function rowsOfOutput({output}: TerminalState, most: number, theme: Theme): string[] {
  const text = output.replace(/^\n+|(?<!\s)\s+$/g, '');
  if (text === '') return [];
  const options = {most, keep: 'tail' as const, how: howToSeeAll(theme)};
  return wrapCollapsed(text, options, theme).map((line) => theme.paint.output(line));
}

/** Returns the rows of the command, unless the card's title shows it. */
function rowsOfCommand(
  {command}: TerminalState,
  {title, extent}: {readonly title: string; readonly extent: Extent},
  theme: Theme,
): string[] {
  if (command === undefined || isInHeadline(command, {title, extent, columns: theme.columns})) return [];
  return rowsOfCommandLine(command, extent, theme);
}

/** Returns the rows of the keys for a running command. */
function rowsOfRunning(terminal: TerminalState, theme: Theme): string[] {
  if (!isRunning(terminal)) return [];
  const {paint, columns, leaderKeyOf} = theme;
  const stop = `${leaderKeyOf('stop_command')} stop`;
  if (terminal.awaitsInput) {
    const text = `May be waiting for input · ${leaderKeyOf('give_keyboard')} type into it · ${stop}`;
    return wrap(text, columns).map((line) => paint.warning(line));
  }
  return [paint.dim(truncate(stop, columns))];
}

/** Returns the rows of how it failed, if it did. */
function rowsOfExit(exit: ProcessExit | undefined, {columns, paint}: Theme): string[] {
  const words = exit && exitLabel(exit);
  return words === undefined ? [] : [paint.error(truncate(words, columns))];
}

/** Returns the rows of a command after a `$`: cut to one line when folded, otherwise in full. */
export function rowsOfCommandLine(command: string, extent: Extent, theme: Theme): string[] {
  const {columns, paint} = theme;
  const rows =
    extent === 'folded'
      ? [markEscapes(truncate(`$ ${onOneLine(command)}`, columns), theme)]
      : rowsOfExact(`$ ${command}`, theme);
  return rows.map((row) => paint.dim(row));
}

/** True if the headline, which may be cut, shows the command; when everything is drawn, only if it certainly fits. */
function isInHeadline(
  command: string,
  {title, extent, columns}: {readonly title: string; readonly extent: Extent; readonly columns: number},
): boolean {
  if (extent === 'folded') return saysCommand(title, command);
  return !title.includes('\n') && width(title) <= columns / 2 && mentionsCommand(title, command);
}

/** Returns the rows of an agent's attachment: one row, and below it the embedded text, folded. */
export function rowsOfAttachment(block: AttachedContent, theme: Theme): string[] {
  const {paint} = theme;
  const row = attachmentRow(block, theme);
  const text = embeddedText(block).trim();
  if (text === '') return [row, ...rowsOfPicture(block, theme)];
  const lines = wrapHead(text, MAX_LINES, narrow(theme));
  return [row, ...indent(lines.map((line) => paint.output(line)))];
}

function embeddedText(block: AttachedContent): string {
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : '';
}

/** The columns that a name is never cut to fewer than. */
const MIN_NAME = 20;

/** Returns content that is not text, in one line: its name, type and size, and how to open it. */
function attachmentRow(block: AttachedContent, theme: Theme): string {
  const {paint, symbols, columns} = theme;
  const how = ` ${theme.leaderKeyOf('open_content')} open`;
  const [name = '', ...others] = attachmentFacts(block, theme.cwd);
  const end = others.map((fact) => ` ${symbols.dot} ${fact}`).join('');
  // A long path keeps the name of its file, and leaves room for the rest.
  const room = Math.max(MIN_NAME, columns - width(`[${end}]${how}`));
  const facts = `[${truncate(name, room, {position: 'middle'})}${end}]`;
  const hint = width(facts) + width(how) <= columns ? paint.dim(how) : '';
  return paint.link(truncate(facts, columns)) + hint;
}

interface ExactContext {
  readonly entry: ToolCallEntry;
  /** Paths of files that exist although a diff calls them new. */
  readonly existing: ReadonlySet<string>;
  /** True if the headline above already has the file and the size of the change. */
  readonly isNamed: boolean;
}

/** Returns the rows of an item of a tool call's content to be approved: everything that will happen, exactly. */
export function rowsOfExactContent(content: acp.ToolCallContent, context: ExactContext, theme: Theme): Rows {
  const {entry, existing, isNamed} = context;
  switch (content.type) {
    case 'diff':
      return rowsOfExactDiff(content, {kind: entry.kind, exists: existing.has(content.path), isNamed}, theme);
    case 'terminal':
      return rowsOfAskedCommand(content, entry.title, theme);
    case 'content':
      return rowsOfExactBlock(content.content, theme);
  }
}

/** Returns the rows of an item of a tool call's content. */
export function rowsOfToolContent(
  content: acp.ToolCallContent,
  context: ContentContext,
  theme: Theme,
): string[] {
  switch (content.type) {
    case 'diff':
      return rowsOfDiff(content, {...context, kind: context.entry.kind}, theme);
    case 'terminal':
      return rowsOfTerminal(content, context, theme);
    case 'content':
      return rowsOfContentItem(content, context, theme);
  }
}

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
import {type DrawContext, drawExact, markEscapes, type DrawExtent} from '../draw/draw.ts';
import {
  drawBehindBar,
  collapse,
  indent,
  narrow,
  wrapCollapsed,
  wrapHead,
  type CollapseOptions,
} from '../draw/lines.ts';
import {drawRow} from '../draw/paint.ts';
import {drawPicture} from '../draw/picture.ts';
import type {Rows} from '../layout/lazy-rows.ts';
import {type ContentContext, drawDiff, drawExactDiff, mostLines} from './diff.ts';

/** Draws a tool's content: text, and name, type and size of anything else. */
export function drawContentItem(
  {content}: acp.Content,
  context: ContentContext,
  draw: DrawContext,
): string[] {
  if (isHidden(content)) return [];
  const drawText = (text: string) => drawBehindBar(draw, (inner) => drawResultText(text, context, inner));
  if (content.type === 'text') return drawText(content.text);
  const picture = drawBehindBar(draw, (inner) => drawPicture(content, inner));
  return [drawAttachmentRow(content, draw), ...picture, ...drawText(embeddedText(content))];
}

function drawResultText(result: string, context: ContentContext, draw: DrawContext): string[] {
  const text = withoutFence(result.trim());
  if (text === '') return [];
  const options = {
    most: mostLines(context),
    keep: context.entry.kind === 'execute' ? 'tail' : 'head',
    ...(draw.extent === 'folded' && {how: howToSeeAll(draw)}),
  } as const;
  const style = toolEnding(context.entry) === 'failed' ? draw.paint.error : draw.paint.output;
  if (hasHidden(text)) return drawRows(text, {...options, style}, draw);
  if (options.most === 0 && text.includes('\n')) return collapse(text.split('\n'), options, draw);
  return wrapCollapsed(text, options, draw).map((line) => style(line));
}

interface RowStyle extends Pick<CollapseOptions, 'most' | 'keep' | 'how'> {
  /** The style of unstyled text. */
  readonly style: Style;
}

/** Draws a result with colors or overwritten lines, folded; draws hardly more than what is shown. */
function drawRows(text: string, {style, ...options}: RowStyle, draw: DrawContext): string[] {
  const {most, keep} = options;
  const {rows, hidden} = resultRowsNear(text, {most: most + 1, keep});
  if (most === 0 && rows.length + hidden > 1)
    return collapse([], {...options, hidden: rows.length + hidden}, draw);
  const near = keep === 'head' ? rows.slice(0, most + 1) : rows.slice(-most - 1);
  const longest = (most + 2) * draw.columns;
  const paintRun = (run: TerminalRun) =>
    markEscapes(run.style === undefined ? style(run.text) : draw.paint.run(run), draw);
  const lines = near.flatMap((row) => wrap(startOf(row, longest).map(paintRun).join(''), draw.columns));
  return collapse(lines, {...options, hidden: hidden + rows.length - near.length}, draw);
}

function startOf(row: TerminalRow, longest: number): TerminalRow {
  let left = longest;
  return row.flatMap(({text, ...look}) => {
    const shown = startOfText(text, left);
    left -= text.length;
    return shown === '' ? [] : [{...look, text: shown}];
  });
}

/** Draws content to be approved, including what is meant for the model only. */
function drawWhole(content: acp.ContentBlock, draw: DrawContext): string[] {
  if (content.type === 'text') return drawExact(content.text, draw);
  const text = embeddedText(content);
  const words = attachmentLabel(content, draw.cwd);
  return [
    ...drawExact(words, draw).map((line) => draw.paint.link(line)),
    ...(text === '' ? [] : drawExact(text, draw)),
  ];
}

const MAX_LINES = 12;

/** Draws a command: the command line, the end of its output, and how it failed. */
function drawTerminal(
  {terminalId}: acp.Terminal,
  {entry, extent}: ContentContext,
  draw: DrawContext,
): string[] {
  const terminal = draw.terminals[terminalId];
  if (terminal === undefined) return drawUnknownTerminal(terminalId, draw);
  // A finished card is printed permanently, so its key hints would stay.
  const shown = isFinished(entry.status) ? {...terminal, released: true} : terminal;
  return [...drawTerminalState(shown, {title: entry.title, extent}, draw), ...drawExit(terminal.exit, draw)];
}

function drawUnknownTerminal(id: string, {paint, columns}: DrawContext): string[] {
  return [paint.dim(truncate(`Terminal ${escapeHiddenLine(id)}`, columns))];
}

/** Output is not part of what is approved, and must not move what is being read. */
function drawAskedCommand({terminalId}: acp.Terminal, title: string, draw: DrawContext): string[] {
  const terminal = draw.terminals[terminalId];
  if (terminal === undefined) return drawUnknownTerminal(terminalId, draw);
  const words = `${draw.keyOf('open_transcript')} show output`;
  return [
    ...drawCommand(terminal, {title, extent: 'exact'}, draw),
    draw.paint.dim(truncate(words, draw.columns)),
  ];
}

/** Draws a terminal's command and output, but not how it ended; `title` is already shown above it. */
export function drawTerminalState(
  terminal: TerminalState,
  {title, extent}: {readonly title: string; readonly extent: DrawExtent},
  draw: DrawContext,
): string[] {
  const most = extent === 'folded' ? MAX_LINES : Infinity;
  const output = drawBehindBar(draw, (inner) => [
    ...(terminal.screen ? drawTail(terminal.screen, most, inner) : drawText(terminal, most, inner)),
    ...drawRunning(terminal, inner),
  ]);
  return [...drawCommand(terminal, {title, extent}, draw), ...output];
}

function drawTail({rows, dropped}: TerminalScreen, most: number, draw: DrawContext): string[] {
  const first =
    dropped > 0
      ? 0
      : Math.max(
          0,
          rows.findIndex((row) => row.length > 0),
        );
  const hidden = Math.max(0, rows.length - first - most - 1);
  const lines = rows.slice(first + hidden).flatMap((row) => wrap(drawRow(row, draw.paint), draw.columns));
  return collapse(lines, {most, keep: 'tail', hidden: hidden + dropped, how: howToSeeAll(draw)}, draw);
}

function howToSeeAll({extent, keyOf}: DrawContext): string {
  return extent !== 'folded' ? 'not kept' : `${keyOf('open_transcript')} show all`;
}

/** For output that is not interpreted. */
function drawText({output}: TerminalState, most: number, draw: DrawContext): string[] {
  const text = output.replace(/^\n+|(?<!\s)\s+$/g, '');
  if (text === '') return [];
  const options = {most, keep: 'tail' as const, how: howToSeeAll(draw)};
  return wrapCollapsed(text, options, draw).map((line) => draw.paint.output(line));
}

/** Draws the command, unless the card's title shows it. */
function drawCommand(
  {command}: TerminalState,
  {title, extent}: {readonly title: string; readonly extent: DrawExtent},
  draw: DrawContext,
): string[] {
  if (command === undefined || isInHeadline(command, {title, extent, columns: draw.columns})) return [];
  return drawCommandLine(command, extent, draw);
}

/** Draws the keys for a running command. */
function drawRunning(terminal: TerminalState, draw: DrawContext): string[] {
  if (!isRunning(terminal)) return [];
  const {paint, columns, leaderKeyOf} = draw;
  const stop = `${leaderKeyOf('stop_command')} stop`;
  if (terminal.awaitsInput) {
    const text = `May be waiting for input · ${leaderKeyOf('give_keyboard')} type into it · ${stop}`;
    return wrap(text, columns).map((line) => paint.warning(line));
  }
  return [paint.dim(truncate(stop, columns))];
}

/** Draws how it failed, if it did. */
function drawExit(exit: ProcessExit | undefined, {columns, paint}: DrawContext): string[] {
  const words = exit && exitLabel(exit);
  return words === undefined ? [] : [paint.error(truncate(words, columns))];
}

/** Draws a command after a `$`: cut to one line when folded, otherwise in full. */
export function drawCommandLine(command: string, extent: DrawExtent, draw: DrawContext): string[] {
  const {columns, paint} = draw;
  const rows =
    extent === 'folded'
      ? [markEscapes(truncate(`$ ${onOneLine(command)}`, columns), draw)]
      : drawExact(`$ ${command}`, draw);
  return rows.map((row) => paint.dim(row));
}

/** True if the headline, which may be cut, shows the command; when everything is drawn, only if it certainly fits. */
function isInHeadline(
  command: string,
  {title, extent, columns}: {readonly title: string; readonly extent: DrawExtent; readonly columns: number},
): boolean {
  if (extent === 'folded') return saysCommand(title, command);
  return !title.includes('\n') && width(title) <= columns / 2 && mentionsCommand(title, command);
}

/** Draws an agent's attachment: one row, and below it the embedded text, folded. */
export function drawAttachment(block: AttachedContent, draw: DrawContext): string[] {
  const {paint} = draw;
  const row = drawAttachmentRow(block, draw);
  const text = embeddedText(block).trim();
  if (text === '') return [row, ...drawPicture(block, draw)];
  const lines = wrapHead(text, MAX_LINES, narrow(draw));
  return [row, ...indent(lines.map((line) => paint.output(line)))];
}

function embeddedText(block: AttachedContent): string {
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : '';
}

/** The columns that a name is never cut to fewer than. */
const MIN_NAME = 20;

/** Draws content that is not text, in one line: its name, type and size, and how to open it. */
function drawAttachmentRow(block: AttachedContent, draw: DrawContext): string {
  const {paint, symbols, columns} = draw;
  const how = ` ${draw.leaderKeyOf('open_content')} open`;
  const [name = '', ...others] = attachmentFacts(block, draw.cwd);
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

/** Draws an item of a tool call's content to be approved: everything that will happen, exactly. */
export function drawExactContent(
  content: acp.ToolCallContent,
  context: ExactContext,
  draw: DrawContext,
): Rows {
  const {entry, existing, isNamed} = context;
  switch (content.type) {
    case 'diff':
      return drawExactDiff(content, {kind: entry.kind, exists: existing.has(content.path), isNamed}, draw);
    case 'terminal':
      return drawAskedCommand(content, entry.title, draw);
    case 'content':
      return drawWhole(content.content, draw);
  }
}

/** Draws an item of a tool call's content. */
export function drawToolContent(
  content: acp.ToolCallContent,
  context: ContentContext,
  draw: DrawContext,
): string[] {
  switch (content.type) {
    case 'diff':
      return drawDiff(content, {...context, kind: context.entry.kind}, draw);
    case 'terminal':
      return drawTerminal(content, context, draw);
    case 'content':
      return drawContentItem(content, context, draw);
  }
}

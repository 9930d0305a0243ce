import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHidden} from '../../session/transcript/content.ts';
import {comparedDiff} from '../../session/transcript/diffs.ts';
import type {ToolCallEntry} from '../../session/entries.ts';
import type {TerminalState} from '../../session/state.ts';
import type {TerminalColor, TerminalRun, TerminalStyle} from '../../session/terminals/terminal-screen.ts';
import {commandLabel, exitLabel} from '../../session/labels/command-label.ts';
import {diffCounts, decisionLabel} from '../../session/labels/labels.ts';
import {shownContent} from '../../session/labels/shown-content.ts';
import {inputText} from '../../session/labels/input-facts.ts';
import {resultText, withoutFence} from '../../session/labels/result-text.ts';
import {toolEnding, toolDetails, toolTitle, refusedWritesLabel} from '../../session/labels/tool-labels.ts';
import {isAskedByForm} from '../../session/requests/user-questions.ts';
import {plainResult} from '../../session/labels/result-rows.ts';
import type {DiffLine, Hunk} from '../../text/diff/diff.ts';
import {shownPath} from '../../text/format.ts';
import type {SessionDocument} from '../document.ts';
import {terminalText} from '../text.ts';
import {attachedHtml} from './html-markdown.ts';
import {markup, type Markup} from '../../text/markup.ts';
import {hexOf, indexedColor} from '../../text/color.ts';

const STATE_SIGNS = {
  pending: '○',
  in_progress: '◐',
  paused: '◐',
  completed: '✓',
  failed: '✗',
  cancelled: '⊘',
  rejected: '⊘',
} as const;

/** Results of reads are folded: readers want to see what was changed or run. */
const FOLDED: ReadonlySet<acp.ToolKind> = new Set(['read', 'search', 'think', 'fetch']);

/** Returns a tool call as a card: a headline, and its result to unfold. */
export function toolCallHtml(entry: ToolCallEntry, document: SessionDocument): Markup {
  const title = toolTitle(entry);
  const ending = toolEnding(entry);
  const details = toolDetails(entry, title, document.facts.cwd).map((detail) => ` · ${detail}`);
  const headline = markup`<span class="state">${STATE_SIGNS[ending]}</span> <b>${title}</b><span class="dim">${details}</span>`;
  const body = bodyOf(entry, document);
  if (body.length === 0) return markup`<div class="tool ${ending}">${headline}</div>\n`;
  const open = FOLDED.has(entry.kind) && ending !== 'failed' ? '' : ' open';
  return markup`<details class="tool ${ending}"${open}><summary>${headline}</summary>\n${body}</details>\n`;
}

function bodyOf(entry: ToolCallEntry, document: SessionDocument): readonly Markup[] {
  if (isAskedByForm(entry)) return [];
  const notes = [decisionLabel(entry.permission), refusedWritesLabel(entry)];
  const command = commandLabel(entry, document.terminals);
  const input = inputText(entry);
  const result = plainResult(resultText(entry));
  return [
    ...notes.map((note) => (note === undefined ? [] : markup`<p class="dim">${note}</p>\n`)),
    command === undefined ? [] : markup`<pre class="output">$ ${command}</pre>\n`,
    input === '' ? [] : markup`<pre class="output">${input}</pre>\n`,
    ...shownContent(entry, document.terminals).map((part) => partHtml(part, {document, kind: entry.kind})),
    result === ''
      ? []
      : markup`<pre class="output${toolEnding(entry) === 'failed' ? ' error' : ''}">${result}</pre>\n`,
  ].flat();
}

function partHtml(
  part: acp.ToolCallContent,
  {document: {facts, terminals}, kind}: {readonly document: SessionDocument; readonly kind: acp.ToolKind},
): Markup | [] {
  switch (part.type) {
    case 'content': {
      const {content} = part;
      if (isHidden(content)) return [];
      if (content.type !== 'text') return attachedHtml(content, facts.cwd);
      const text = withoutFence(plainResult(content.text).trim());
      return text === '' ? [] : markup`<pre class="output">${text}</pre>\n`;
    }
    case 'diff':
      return diffHtml(part, {cwd: facts.cwd, kind});
    case 'terminal': {
      const terminal = terminals.get(part.terminalId);
      return terminal ? terminalHtml(terminal) : [];
    }
    default:
      return [];
  }
}

const DIFF_SIGNS = {added: '+', removed: '-', context: ' '} as const;

/** Returns a file change: path, size, and its lines with numbers, with the changed words highlighted. */
function diffHtml(diff: acp.Diff, {cwd, kind}: {readonly cwd: string; readonly kind: acp.ToolKind}): Markup {
  const {hunks, approximate} = comparedDiff(diff);
  const counts = diffCounts(diff, {minus: '−', kind});
  const note = approximate ? ', too different to compare' : '';
  return markup`<figure class="diff"><figcaption>${shownPath(diff.path, cwd)} <span class="dim">(${counts}${note})</span></figcaption>
<pre>${hunks.map(hunkHtml)}</pre></figure>
`;
}

function hunkHtml({lines}: Hunk, index: number): Markup {
  const gap = index === 0 ? undefined : markup`<span class="gap">…</span>\n`;
  return markup`${gap}${lines.map(lineHtml)}`;
}

function lineHtml({kind, oldNumber, newNumber, segments, noNewlineAtEnd}: DiffLine): Markup {
  const text = segments.map(({text, changed}) => (changed ? markup`<mark>${text}</mark>` : text));
  const number = String(newNumber ?? oldNumber ?? '').padStart(4);
  const end = noNewlineAtEnd ? markup`<span class="dim"> … no line feed at the end</span>` : undefined;
  return markup`<span class="line ${kind}"><span class="number">${number} ${DIFF_SIGNS[kind]} </span>${text}${end}</span>\n`;
}

/** Returns a command: command line, colored output, and how it failed. */
export function terminalHtml(terminal: TerminalState): Markup {
  const {command, screen, exit} = terminal;
  const typed = command === undefined ? undefined : markup`<span class="command">$ ${command}</span>\n`;
  const output = screen ? markup`${rowsHtml(terminal)}` : markup`${terminalText(terminal)}\n`;
  const words = exit && exitLabel(exit);
  const ended = words === undefined ? undefined : markup`<span class="error">${words}</span>\n`;
  return markup`<pre class="terminal">${typed}${output}${ended}</pre>\n`;
}

function rowsHtml({screen}: TerminalState): readonly Markup[] {
  const {rows, dropped} = screen ?? {rows: [], dropped: 0};
  const first = rows.findIndex((row) => row.length > 0);
  const last = rows.findLastIndex((row) => row.length > 0);
  const cut =
    dropped > 0 ? [markup`<span class="dim">… ${dropped} rows before this are not kept</span>\n`] : [];
  return [...cut, ...rows.slice(Math.max(0, first), last + 1).map((row) => markup`${row.map(runHtml)}\n`)];
}

function runHtml({text, style}: TerminalRun): Markup {
  const css = style && styleOf(style);
  return css === undefined || css === '' ? markup`${text}` : markup`<span style="${css}">${text}</span>`;
}

const FOREGROUND = '#d8dee9';
const BACKGROUND = '#1b1f27';

function styleOf(style: TerminalStyle): string {
  const {foreground, background, inverse} = style;
  const [front, back] = [cssColor(foreground), cssColor(background)];
  const [ink, paper] = inverse ? [back ?? BACKGROUND, front ?? FOREGROUND] : [front, back];
  const lines = [style.underline && 'underline', style.strikethrough && 'line-through'].filter(Boolean);
  return [
    ink && `color:${ink}`,
    paper && `background:${paper}`,
    style.bold && 'font-weight:bold',
    style.dim && 'opacity:.65',
    style.italic && 'font-style:italic',
    lines.length > 0 && `text-decoration:${lines.join(' ')}`,
  ]
    .filter(Boolean)
    .join(';');
}

/** Colors for the terminal's sixteen. */
const PALETTE =
  '#3b4252 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #abb2bf #7f8796 #ff7b85 #b5e08f #ffd98f #82c4ff #de92f2 #73d6e2 #ffffff'.split(
    ' ',
  );

/** Undefined for an invalid color. */
function cssColor(color: TerminalColor | undefined): string | undefined {
  if (typeof color === 'string') return /^#[0-9a-f]{6}$/i.test(color) ? color : undefined;
  if (color === undefined || !Number.isInteger(color) || color < 0 || color > 255) return undefined;
  return PALETTE[color] ?? hexOf(indexedColor(color));
}

import {rowsOfPlan} from './plan.tsx';
import type {
  ShellCommandEntry,
  ElicitationEntry,
  TurnEndEntry,
  FailureEntry,
  NoticeEntry,
  CompactionEntry,
  UnknownEntry,
  Entry,
  EntryType,
  TurnSummary,
} from '../../src/session/entries.ts';
import {exitLabel} from '../../src/session/labels/command-label.ts';
import {
  answerLines,
  outcomeLabel,
  stopReasonLabel,
  turnFacts,
  compactionLabel,
} from '../../src/session/labels/labels.ts';
import type {TerminalState} from '../../src/session/state.ts';
import {visibleText} from '../../src/session/transcript/content.ts';
import {describeFailure} from '../../src/shared/failure-messages.ts';
import type {Failure} from '../../src/shared/failure.ts';
import {duration, shownPath} from '../../src/text/format.ts';
import {sanitizeLine, sanitize} from '../../src/text/sanitize.ts';
import {truncate} from '../../src/text/truncate.ts';
import {wrap} from '../../src/text/wrap.ts';
import type {DrawContext} from '../draw/draw.ts';
import {drawEnd} from '../draw/symbols.ts';
import {drawBesideMargin, drawNamed, indent, narrow, wrapHanging, wrapHead} from '../draw/lines.ts';
import {drawToolCard} from '../tool-call/card.ts';
import {drawTerminalState} from '../tool-call/contents.ts';
import {drawSubagent} from './subagent-card.ts';
import {drawAgentMessage, drawAgentThought, drawSessionMessage, drawUserMessage} from './message-entries.ts';

/** Draws a user's command: like an agent's, but marked with the shell sign. */
function drawShellCommand(entry: ShellCommandEntry, draw: DrawContext): string[] {
  const terminal = draw.terminals[entry.terminalId];
  const inner = narrow(draw);
  return [
    drawShellHeadline(entry, draw),
    ...(terminal
      ? indent(drawTerminalState(terminal, {title: entry.command, extent: draw.extent}, inner))
      : []),
  ];
}

/** Draws the command, its folder, how it ended and how long it took, on one line. */
export function drawShellHeadline(entry: ShellCommandEntry, draw: DrawContext): string {
  const {paint} = draw;
  const terminal = draw.terminals[entry.terminalId];
  const details = [...whereOf(terminal, draw), ...endOf(entry, terminal)];
  const name = drawNamed(`! ${sanitizeLine(entry.command)}`, paint.user, {facts: details, draw});
  return `${drawSign(entry, terminal, draw)} ${name}`;
}

function drawSign(
  {endedAt}: ShellCommandEntry,
  terminal: TerminalState | undefined,
  draw: DrawContext,
): string {
  const {paint, symbols} = draw;
  if (terminal?.exit) return drawEnd(terminal.exit.code === 0 ? 'done' : 'failed', {paint, symbols});
  return endedAt === undefined && terminal?.released === false
    ? paint.accent(symbols.running)
    : paint.warning(symbols.cancelled);
}

/** Omitted if it is the session's folder. */
function whereOf(terminal: TerminalState | undefined, {cwd}: DrawContext): string[] {
  return terminal?.cwd === undefined || terminal.cwd === cwd
    ? []
    : [sanitizeLine(shownPath(terminal.cwd, cwd))];
}

function endOf({at, endedAt}: ShellCommandEntry, terminal: TerminalState | undefined): string[] {
  if (terminal?.exit) return [exitLabel(terminal.exit) ?? 'exit code 0', duration((endedAt ?? at) - at)];
  return terminal?.released === false ? [] : ['stopped with acp-tui'];
}

/** Draws an elicitation and its answer. */
function drawElicitation(entry: ElicitationEntry, draw: DrawContext): string[] {
  const {paint, symbols} = draw;
  const inner = narrow(draw);
  const address = entry.url === undefined ? [] : wrap(entry.url, inner.columns);
  const answers = answerLines(entry).flatMap((line) => wrap(line, inner.columns));
  const sign = entry.outcome === 'accepted' ? paint.success(symbols.done) : paint.warning(symbols.cancelled);
  return [
    ...wrapHanging(sign, sanitize(entry.message), draw),
    ...indent([
      ...address,
      ...answers.map((line) => paint.user(line)),
      ...wrap(outcomeLabel(entry), inner.columns).map((line) => paint.dim(line)),
    ]),
  ];
}

function drawOutcome(summary: TurnSummary, draw: DrawContext): string[] {
  const {outcome} = summary;
  const {paint, symbols} = draw;
  if (outcome.kind === 'failed') return drawFailure(outcome.failure, draw);
  const words = stopReasonLabel(summary);
  if (words === undefined) return [];
  const sign = outcome.stopReason === 'cancelled' ? symbols.cancelled : symbols.warning;
  return wrapHanging(sign, words, draw).map((line) => paint.warning(line));
}

/** Draws the end of a turn: why, if it did not end normally, then duration and cost. */
function drawTurnEnd({summary}: TurnEndEntry, draw: DrawContext): string[] {
  const facts = turnFacts(summary).join(` ${draw.symbols.dot} `);
  return [...drawOutcome(summary, draw), draw.paint.dim(truncate(facts, draw.columns))];
}

/** Draws what failed, why, and what to do. */
function drawFailure(failure: Failure, draw: DrawContext): string[] {
  const {paint, symbols} = draw;
  const {what, why, todo} = describeFailure(failure);
  return [
    ...wrapHanging(symbols.failed, what, draw).map((line) => paint.error(line)),
    ...(why ? wrapHanging(' ', why, draw) : []),
    ...(todo ? wrapHanging(' ', todo, draw).map((line) => paint.dim(line)) : []),
  ];
}

/** Draws a dimmed line about an event. */
function drawNotice(entry: NoticeEntry, draw: DrawContext): string[] {
  const {paint, symbols} = draw;
  const looks = {
    info: {sign: symbols.notice, style: paint.dim, word: ''},
    warning: {sign: symbols.warning, style: paint.warning, word: 'Warning: '},
    error: {sign: symbols.failed, style: paint.error, word: 'Error: '},
  };
  const {sign, style, word} = looks[entry.level];
  return wrapHanging(sign, word + entry.text, draw).map((line) => style(line));
}

const MAX_SUMMARY_LINES = 5;

/** Draws a compaction of the context, with the start of its summary. */
function drawCompaction(entry: CompactionEntry, draw: DrawContext): string[] {
  const {paint, symbols} = draw;
  const headline = wrapHanging(symbols.notice, compactionLabel(entry), draw);
  const summary = visibleText(entry.summary).trim();
  const body = summary === '' ? [] : wrapHead(summary, MAX_SUMMARY_LINES, narrow(draw));
  const style = entry.status === 'failed' ? paint.error : paint.dim;
  return [...headline, ...indent(body)].map((line) => style(line));
}

const MAX_UNKNOWN_LINES = 3;

/** Draws an update of an unknown kind: the kind, and the start of its JSON. */
function drawUnknown(entry: UnknownEntry, draw: DrawContext): string[] {
  const {paint, symbols} = draw;
  const times = entry.count > 1 ? ` ${symbols.times}${entry.count}` : '';
  const headline = wrapHanging(symbols.notice, `Unknown update “${entry.kind}”${times}`, draw);
  const json = wrapHead(entry.json, MAX_UNKNOWN_LINES, narrow(draw));
  return [...headline, ...indent(json)].map((line) => paint.dim(line));
}

type EntryOf<Type extends EntryType> = Extract<Entry, {type: Type}>;

const drawers: {readonly [Type in EntryType]: (entry: EntryOf<Type>, draw: DrawContext) => string[]} = {
  user_message: drawUserMessage,
  agent_message: drawAgentMessage,
  agent_thought: drawAgentThought,
  tool_call: drawToolCard,
  plan: rowsOfPlan,
  notice: drawNotice,
  compaction: drawCompaction,
  subagent: drawSubagent,
  session_message: drawSessionMessage,
  unknown: drawUnknown,
  turn_end: drawTurnEnd,
  failure: ({failure}: FailureEntry, draw) => drawFailure(failure, draw),
  shell_command: drawShellCommand,
  elicitation: drawElicitation,
};

/** Draws an entry in a transcript; everything but the user's own text is indented. */
export function drawInPlace(entry: Entry, draw: DrawContext): readonly string[] {
  if (entry.type === 'user_message') return drawEntry(entry, draw);
  return drawBesideMargin(draw, (inner) => drawEntry(entry, inner));
}

/** Draws an entry as lines of at most `draw.columns` columns, without surrounding blank lines. */
export function drawEntry(entry: Entry, draw: DrawContext): string[] {
  const drawer = drawers[entry.type] as (entry: Entry, draw: DrawContext) => string[];
  const lines = drawer(entry, draw);
  // Notices are always the client's own.
  return entry.onlyHere && entry.type !== 'notice' ? [...lines, ...drawMark(draw)] : lines;
}

function drawMark(draw: DrawContext): string[] {
  const text = "Local only: not in the agent's context.";
  return wrapHanging(' ', text, draw).map((line) => draw.paint.dim(line));
}

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
import type {Theme} from '../theme/theme.tsx';
import {endMark} from '../theme/symbols.ts';
import {rowsInMargin, namedRow, indent, narrow, wrapHanging, wrapHead} from '../layout/lines.ts';
import {rowsOfToolCall} from '../tool-call/card.ts';
import {rowsOfTerminalState} from '../tool-call/contents.ts';
import {rowsOfSubagent} from './subagent-card.ts';
import {
  rowsOfAgentMessage,
  rowsOfThought,
  rowsOfSessionMessage,
  rowsOfUserMessage,
} from './message-entries.ts';

/** Returns the rows of a user's command: like an agent's, but marked with the shell sign. */
function rowsOfShellCommand(entry: ShellCommandEntry, theme: Theme): string[] {
  const terminal = theme.terminals[entry.terminalId];
  const inner = narrow(theme);
  return [
    shellHeadline(entry, theme),
    ...(terminal
      ? indent(rowsOfTerminalState(terminal, {title: entry.command, extent: theme.extent}, inner))
      : []),
  ];
}

/** Returns the command, its folder, how it ended and how long it took, on one line. */
export function shellHeadline(entry: ShellCommandEntry, theme: Theme): string {
  const {paint} = theme;
  const terminal = theme.terminals[entry.terminalId];
  const details = [...whereOf(terminal, theme), ...endOf(entry, terminal)];
  const name = namedRow(`! ${sanitizeLine(entry.command)}`, paint.user, {facts: details, theme});
  return `${shellMark(entry, terminal, theme)} ${name}`;
}

function shellMark({endedAt}: ShellCommandEntry, terminal: TerminalState | undefined, theme: Theme): string {
  const {paint, symbols} = theme;
  if (terminal?.exit) return endMark(terminal.exit.code === 0 ? 'done' : 'failed', {paint, symbols});
  return endedAt === undefined && terminal?.released === false
    ? paint.accent(symbols.running)
    : paint.warning(symbols.cancelled);
}

/** Omitted if it is the session's folder. */
function whereOf(terminal: TerminalState | undefined, {cwd}: Theme): string[] {
  return terminal?.cwd === undefined || terminal.cwd === cwd
    ? []
    : [sanitizeLine(shownPath(terminal.cwd, cwd))];
}

function endOf({at, endedAt}: ShellCommandEntry, terminal: TerminalState | undefined): string[] {
  if (terminal?.exit) return [exitLabel(terminal.exit) ?? 'exit code 0', duration((endedAt ?? at) - at)];
  return terminal?.released === false ? [] : ['stopped with acp-tui'];
}

/** Returns the rows of an elicitation and its answer. */
function rowsOfElicitation(entry: ElicitationEntry, theme: Theme): string[] {
  const {paint, symbols} = theme;
  const inner = narrow(theme);
  const address = entry.url === undefined ? [] : wrap(entry.url, inner.columns);
  const answers = answerLines(entry).flatMap((line) => wrap(line, inner.columns));
  const sign = entry.outcome === 'accepted' ? paint.success(symbols.done) : paint.warning(symbols.cancelled);
  return [
    ...wrapHanging(sign, sanitize(entry.message), theme),
    ...indent([
      ...address,
      ...answers.map((line) => paint.user(line)),
      ...wrap(outcomeLabel(entry), inner.columns).map((line) => paint.dim(line)),
    ]),
  ];
}

function rowsOfOutcome(summary: TurnSummary, theme: Theme): string[] {
  const {outcome} = summary;
  const {paint, symbols} = theme;
  if (outcome.kind === 'failed') return rowsOfFailure(outcome.failure, theme);
  const words = stopReasonLabel(summary);
  if (words === undefined) return [];
  const sign = outcome.stopReason === 'cancelled' ? symbols.cancelled : symbols.warning;
  return wrapHanging(sign, words, theme).map((line) => paint.warning(line));
}

/** Returns the rows of the end of a turn: why, if it did not end normally, then duration and cost. */
function rowsOfTurnEnd({summary}: TurnEndEntry, theme: Theme): string[] {
  const facts = turnFacts(summary).join(` ${theme.symbols.dot} `);
  return [...rowsOfOutcome(summary, theme), theme.paint.dim(truncate(facts, theme.columns))];
}

/** Returns the rows of what failed, why, and what to do. */
function rowsOfFailure(failure: Failure, theme: Theme): string[] {
  const {paint, symbols} = theme;
  const {what, why, todo} = describeFailure(failure);
  return [
    ...wrapHanging(symbols.failed, what, theme).map((line) => paint.error(line)),
    ...(why ? wrapHanging(' ', why, theme) : []),
    ...(todo ? wrapHanging(' ', todo, theme).map((line) => paint.dim(line)) : []),
  ];
}

/** Returns the rows of a dimmed line about an event. */
function rowsOfNotice(entry: NoticeEntry, theme: Theme): string[] {
  const {paint, symbols} = theme;
  const looks = {
    info: {sign: symbols.notice, style: paint.dim, word: ''},
    warning: {sign: symbols.warning, style: paint.warning, word: 'Warning: '},
    error: {sign: symbols.failed, style: paint.error, word: 'Error: '},
  };
  const {sign, style, word} = looks[entry.level];
  return wrapHanging(sign, word + entry.text, theme).map((line) => style(line));
}

const MAX_SUMMARY_LINES = 5;

/** Returns the rows of a compaction of the context, with the start of its summary. */
function rowsOfCompaction(entry: CompactionEntry, theme: Theme): string[] {
  const {paint, symbols} = theme;
  const headline = wrapHanging(symbols.notice, compactionLabel(entry), theme);
  const summary = visibleText(entry.summary).trim();
  const body = summary === '' ? [] : wrapHead(summary, MAX_SUMMARY_LINES, narrow(theme));
  const style = entry.status === 'failed' ? paint.error : paint.dim;
  return [...headline, ...indent(body)].map((line) => style(line));
}

const MAX_UNKNOWN_LINES = 3;

/** Returns the rows of an update of an unknown kind: the kind, and the start of its JSON. */
function rowsOfUnknownUpdate(entry: UnknownEntry, theme: Theme): string[] {
  const {paint, symbols} = theme;
  const times = entry.count > 1 ? ` ${symbols.times}${entry.count}` : '';
  const headline = wrapHanging(symbols.notice, `Unknown update “${entry.kind}”${times}`, theme);
  const json = wrapHead(entry.json, MAX_UNKNOWN_LINES, narrow(theme));
  return [...headline, ...indent(json)].map((line) => paint.dim(line));
}

type EntryOf<Type extends EntryType> = Extract<Entry, {type: Type}>;

const ROWS_OF: {readonly [Type in EntryType]: (entry: EntryOf<Type>, theme: Theme) => string[]} = {
  user_message: rowsOfUserMessage,
  agent_message: rowsOfAgentMessage,
  agent_thought: rowsOfThought,
  tool_call: rowsOfToolCall,
  plan: rowsOfPlan,
  notice: rowsOfNotice,
  compaction: rowsOfCompaction,
  subagent: rowsOfSubagent,
  session_message: rowsOfSessionMessage,
  unknown: rowsOfUnknownUpdate,
  turn_end: rowsOfTurnEnd,
  failure: ({failure}: FailureEntry, theme) => rowsOfFailure(failure, theme),
  shell_command: rowsOfShellCommand,
  elicitation: rowsOfElicitation,
};

/** Returns the rows of an entry in a transcript; everything but the user's own text is indented. */
export function rowsInPlace(entry: Entry, theme: Theme): readonly string[] {
  if (entry.type === 'user_message') return rowsOfEntry(entry, theme);
  return rowsInMargin(theme, (inner) => rowsOfEntry(entry, inner));
}

/** Returns the rows of an entry as lines of at most `theme.columns` columns, without surrounding blank lines. */
export function rowsOfEntry(entry: Entry, theme: Theme): string[] {
  const drawer = ROWS_OF[entry.type] as (entry: Entry, theme: Theme) => string[];
  const lines = drawer(entry, theme);
  // Notices are always the client's own.
  return entry.onlyHere && entry.type !== 'notice' ? [...lines, ...rowsOfLocalNote(theme)] : lines;
}

function rowsOfLocalNote(theme: Theme): string[] {
  const text = "Local only: not in the agent's context.";
  return wrapHanging(' ', text, theme).map((line) => theme.paint.dim(line));
}

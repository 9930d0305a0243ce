import type {ToolCallEntry} from '../../src/session/entries.ts';
import {isText, shownContent} from '../../src/session/labels/shown-content.ts';
import {decisionLabel} from '../../src/session/labels/labels.ts';
import {withReadableSteps} from '../../src/session/labels/input-facts.ts';
import {resultText} from '../../src/session/labels/result-text.ts';
import {isFileInTitle, refusedWritesLabel} from '../../src/session/labels/tool-labels.ts';
import {isAskedByForm, type Question, questionsOf} from '../../src/session/requests/user-questions.ts';
import {truncate} from '../../src/text/truncate.ts';
import {wrap} from '../../src/text/wrap.ts';
import {rowsOfExact} from '../theme/exact-text.ts';
import type {Theme} from '../theme/theme.tsx';
import {indent, narrow} from '../layout/lines.ts';
import {rowsOfDiff} from './diff.ts';
import {rowsOfTerminal} from './terminal-output.ts';
import {rowsOfContentItem} from './tool-content.ts';
import {rowsOfHeadline, hiddenLines} from './headline.ts';
import {rowsOfFoldedInput, rowsOfInput} from './tool-input.ts';
import {isFinished} from '../../src/session/transcript/tool-status.ts';

/** Returns the rows of a tool call as a card: a headline, then what matters for its kind, unless that is shown elsewhere. */
export function rowsOfToolCall(entry: ToolCallEntry, theme: Theme): string[] {
  if (theme.asked?.has(entry.toolCallId)) return rowsOfHeadline(entry, theme);
  const inner = narrow(theme);
  const questions = questionsOf(entry);
  const input =
    theme.extent === 'folded'
      ? rowsOfFoldedInput(entry, inner)
      : rowsOfInput(withReadableSteps(entry), inner);
  const details = [...input, ...rowsOfContents(entry, inner), ...rowsOfResult(entry, inner)];
  return [
    ...rowsOfHeadline(entry, theme),
    ...indent([
      ...rowsOfDecision(entry, inner),
      ...(questions.length === 0 ? details : rowsOfQuestions(questions, entry, inner)),
      ...rowsOfRefusedWrites(entry, inner),
    ]),
  ];
}

/** Returns the rows of a call that only asks the user: its questions with their choices and the result, unless a form has asked them. */
function rowsOfQuestions(questions: readonly Question[], entry: ToolCallEntry, theme: Theme): string[] {
  if (isAskedByForm(entry)) return [];
  const questionLines = questions.flatMap(({question, options}) => [
    ...(question === entry.title ? [] : rowsOfExact(question, theme)),
    ...options.flatMap(({label}) => rowsOfExact(`- ${label}`, theme)).map((line) => theme.paint.dim(line)),
  ]);
  const result = isFinished(entry.status)
    ? [...rowsOfContents(entry, theme), ...rowsOfResult(entry, theme)]
    : [];
  return [...questionLines, ...result];
}

/** Returns the rows of the permission decision, if it is worth a line. */
function rowsOfDecision({permission}: ToolCallEntry, {paint, columns, extent}: Theme): string[] {
  const words = decisionLabel(permission);
  if (words === undefined) return [];
  const rows = extent === 'whole' ? wrap(words, columns) : [truncate(words, columns)];
  return rows.map((row) => paint.dim(row));
}

/** Returns the rows of why it could not write some files, if it is known that the sandbox refused it. */
function rowsOfRefusedWrites(entry: ToolCallEntry, {paint, columns}: Theme): string[] {
  const label = refusedWritesLabel(entry);
  if (label === undefined) return [];
  return wrap(`${label} /sandbox shows what is allowed.`, columns).map((line) => paint.warning(line));
}

function rowsOfContents(entry: ToolCallEntry, theme: Theme): string[] {
  const changes = entry.content.filter(({type}) => type === 'diff').length;
  const context = {kind: entry.kind, isNamed: isFileInTitle(entry, theme.cwd), changes};
  const hidesText = hiddenLines(entry, theme) > 0;
  const shown = shownContent(entry, theme.terminals).filter((part) => !isText(part) || !hidesText);
  return shown.flatMap((part) => {
    if (part.type === 'diff') return rowsOfDiff(part, context, theme);
    return part.type === 'terminal'
      ? rowsOfTerminal(part, entry, theme)
      : rowsOfContentItem(part.content, entry, theme);
  });
}

/** Returns the rows of the result of a call that reports it only in its raw output. */
export function rowsOfResult(entry: ToolCallEntry, theme: Theme): string[] {
  const text = resultText(entry);
  if (text === '' || hiddenLines(entry, theme) > 0) return [];
  return rowsOfContentItem({type: 'text', text}, entry, theme);
}

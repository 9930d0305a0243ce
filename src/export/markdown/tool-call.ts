import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHidden} from '../../session/content.ts';
import {placeOf} from '../../session/diff-place.ts';
import type {ToolCallEntry} from '../../session/entries.ts';
import type {TerminalState} from '../../session/state.ts';
import {attachmentWords} from '../../session/words/attachment.ts';
import {commandWords} from '../../session/words/command.ts';
import {exitWords} from '../../session/words/exit.ts';
import {decisionWords} from '../../session/words/permission.ts';
import {inputText} from '../../session/words/input.ts';
import {resultText} from '../../session/words/raw.ts';
import {plainResult} from '../../session/words/result-rows.ts';
import {toolEnding} from '../../session/words/tool-ending.ts';
import {toolDetails, toolTitle} from '../../session/words/tool-title.ts';
import {withoutFence} from '../../session/words/without-fence.ts';
import {diffLines, type DiffLine} from '../../text/diff/diff-lines.ts';
import {shownPath} from '../../text/shown-path.ts';
import type {SessionDocument} from '../document.ts';
import {terminalText} from '../terminal-text.ts';
import {fenced, inLine} from './pieces.ts';

const CONTEXT_LINES = 3;
const SIGNS = {
  completed: '✓',
  failed: '✗',
  cancelled: '⊘',
  rejected: '⊘',
  in_progress: '…',
  pending: '…',
} as const;

/** A tool call: what it was, how it was decided and ended, and what came of it. */
export function toolCallText(entry: ToolCallEntry, document: SessionDocument): string {
  const {cwd} = document.facts;
  const title = toolTitle(entry);
  const details = [toolDetails(entry, title, cwd), decisionWords(entry.permission) ?? []].flat();
  const head = `**${SIGNS[toolEnding(entry)]} ${inLine(title)}**${details.map((detail) => ` · ${inLine(detail)}`).join('')}`;
  const command = commandWords(entry, document.terminals);
  const input = inputText(entry);
  const result = plainResult(resultText(entry));
  return [
    head,
    command === undefined ? '' : fenced(`$ ${command}`, 'console'),
    input === '' ? '' : fenced(input),
    ...entry.content.map((content) => partText(content, document)),
    result === '' ? '' : fenced(result),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function partText(part: acp.ToolCallContent, {facts, terminals}: SessionDocument): string {
  switch (part.type) {
    case 'content': {
      const {content} = part;
      if (isHidden(content)) return '';
      if (content.type !== 'text') return inLine(attachmentWords(content, facts.cwd));
      const text = withoutFence(plainResult(content.text).trim());
      return text === '' ? '' : fenced(text);
    }
    case 'diff':
      return diffText(part, facts.cwd);
    case 'terminal': {
      const terminal = terminals[part.terminalId];
      return terminal ? terminalMarkdown(terminal) : '';
    }
    default:
      return '';
  }
}

/** A command, what it printed, and how it ended when that was not well. */
export function terminalMarkdown(terminal: TerminalState): string {
  const {command, exit} = terminal;
  const words = exit && exitWords(exit);
  const lines = [command === undefined ? '' : `$ ${command}`, terminalText(terminal), words ?? ''];
  return fenced(lines.filter(Boolean).join('\n'), 'console');
}

const MARKS = {added: '+', removed: '-', context: ' '} as const;

/** A change as a unified diff. */
function diffText(diff: acp.Diff, cwd: string): string {
  const {path, oldText, newText} = diff;
  const firstLine = placeOf(diff)?.line;
  const {hunks, newFile} = diffLines(oldText, newText, {
    context: CONTEXT_LINES,
    ...(firstLine !== undefined && {firstLine}),
  });
  const name = shownPath(path, cwd);
  const lines = hunks.flatMap(({lines}) => [rangeOf(lines)].concat(lines.flatMap(lineText)));
  return fenced([`--- ${newFile ? '/dev/null' : name}`, `+++ ${name}`, ...lines].join('\n'), 'diff');
}

/** Without numbers where nobody knows them. */
function rangeOf(lines: readonly DiffLine[]): string {
  if (lines.every(({oldNumber, newNumber}) => oldNumber === undefined && newNumber === undefined))
    return '@@';
  const range = (numbers: readonly (number | undefined)[]) => {
    const known = numbers.filter((number) => number !== undefined);
    return `${known[0] ?? 0},${known.length}`;
  };
  const [before, after] = [lines.map((line) => line.oldNumber), lines.map((line) => line.newNumber)];
  return `@@ -${range(before)} +${range(after)} @@`;
}

function lineText({kind, segments, noNewlineAtEnd}: DiffLine): string[] {
  const line = MARKS[kind] + segments.map(({text}) => text).join('');
  return noNewlineAtEnd ? [line, '\\ No newline at end of file'] : [line];
}

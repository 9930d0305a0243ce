import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHidden} from '../session/transcript/content.ts';
import {stepStatus} from '../session/transcript/patches.ts';
import {comparedDiff} from '../session/transcript/diffs.ts';
import type {Entry, EntryType, ToolCallEntry} from '../session/entries.ts';
import {messageText} from '../session/selectors.ts';
import type {TerminalState} from '../session/state.ts';
import {
  attachmentLabel,
  compactionLabel,
  answerLines,
  outcomeLabel,
  decisionLabel,
  stopReasonLabel,
  turnFacts,
} from '../session/labels/labels.ts';
import {commandLabel, exitLabel} from '../session/labels/command-label.ts';
import {shownContent} from '../session/labels/shown-content.ts';
import {inputText} from '../session/labels/input-facts.ts';
import {resultText, withoutFence} from '../session/labels/result-text.ts';
import {toolEnding, toolDetails, toolTitle, refusedWritesLabel} from '../session/labels/tool-labels.ts';
import {isAskedByForm} from '../session/requests/user-questions.ts';
import {subagentFacts} from '../session/subagents/names.ts';
import {plainResult} from '../session/labels/result-rows.ts';
import {describeFailure} from '../shared/failure-messages.ts';
import type {Failure} from '../shared/failure.ts';
import type {DiffLine} from '../text/diff/diff.ts';
import {fencedBlocks} from '../text/markdown/fences.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {codeFence, shownPath} from '../text/format.ts';
import type {EntryPlace, SessionDocument} from './document.ts';
import {neverYield} from './format.ts';
import {
  agentLabel,
  entriesOfSubagent,
  factRows,
  participantTitles,
  contextNote,
  subagentTitle,
  terminalText,
  thoughtLabel,
} from './text.ts';

type Writers = {
  readonly [Type in EntryType]: (entry: Extract<Entry, {type: Type}>, place: EntryPlace) => string;
};

const writers: Writers = {
  user_message: ({content}, {document}) =>
    `## You\n\n${quoted(contentMarkdown(content, document.facts.cwd, 'plain'))}`,
  agent_message: ({content}, {document}) => contentMarkdown(content, document.facts.cwd, 'markdown'),
  agent_thought: (entry, {next}) => quoted(`*${thoughtLabel(entry, next)}*\n\n${messageText(entry).trim()}`),
  tool_call: (entry, {document}) => toolCallMarkdown(entry, document),
  plan: ({content}) => `**Plan**\n\n${planMarkdown(content)}`,
  notice: ({level, text}) => quoted(level === 'info' ? text : `**${levels[level]}** ${text}`),
  compaction: (entry) =>
    quoted(
      [compactionLabel(entry), messageText({content: entry.summary}).trim()].filter(Boolean).join('\n\n'),
    ),
  subagent: (entry, place) => {
    const {document} = place;
    const name = subagentTitle(entry, document);
    const headline = `**Subagent ${inLine(name)}** · ${subagentFacts(entry, undefined).map(inLine).join(' · ')}`;
    const own = entriesOfSubagent(entry, place);
    const texts = own.map((each, index) =>
      writeEntry(each, {document, next: own[index + 1], within: entry.sessionId}),
    );
    return quoted([headline, ...texts].join('\n\n'));
  },
  session_message: (entry, {document}) => {
    const {from, to} = participantTitles(entry, document);
    const who = `Message${from === undefined ? '' : ` from ${inLine(from)}`}${to === undefined ? '' : ` to ${inLine(to)}`}`;
    return quoted(`${who}\n\n${contentMarkdown(entry.content, document.facts.cwd, 'plain')}`);
  },
  unknown: ({kind, count, json}) =>
    `Unknown update ${inLine(kind)}${count > 1 ? ` ×${count}` : ''}\n\n${codeFence(json, 'json')}`,
  turn_end: ({summary}) => {
    const {outcome} = summary;
    const how = outcome.kind === 'failed' ? failureText(outcome.failure) : stopReasonLabel(summary);
    const facts = `*${turnFacts(summary).join(' · ')}*`;
    return how === undefined ? facts : `${quoted(how)}\n\n${facts}`;
  },
  failure: ({failure}) => quoted(failureText(failure)),
  elicitation: (entry) =>
    [
      quoted([entry.message, entry.url ?? ''].filter(Boolean).join('\n\n')),
      listed(answerLines(entry).map(inLine)),
      `*${outcomeLabel(entry)}*`,
    ]
      .filter(Boolean)
      .join('\n\n'),
  shell_command: ({command, terminalId}, {document}) => {
    const terminal = document.terminals.get(terminalId);
    return `*The user’s own command*\n\n${terminal ? terminalMarkdown(terminal) : codeFence(`$ ${command}`, 'console')}`;
  },
};

function writeEntry(entry: Entry, location: EntryPlace): string {
  const write = writers[entry.type] as (entry: Entry, place: EntryPlace) => string;
  return write(entry, location);
}

const levels = {warning: 'Warning:', error: 'Error:'} as const;

function failureText(failure: Failure): string {
  const {what, why, todo} = describeFailure(failure);
  return [`**${what}**`, why, todo].filter(Boolean).join('\n\n');
}

/** Returns a session as Markdown: the agent's text unchanged, the user's as quotes, tools with their output in fences. */
export async function writeMarkdown(document: SessionDocument, pace = neverYield): Promise<string> {
  const {facts, entries} = document;
  const agent = agentLabel(facts);
  const parts = [
    `# ${inLine(facts.title)}`,
    listed(factRows(document).map(([name, value]) => `${name}: ${inLine(value)}`)),
  ];
  let isAgents = false;
  for (const [index, entry] of entries.entries()) {
    await pace();
    const place = contextNote(entry);
    const text = writeEntry(entry, {document, next: entries[index + 1]});
    if (text.trim() === '') continue;
    if (!isAgents && ofAgent.has(entry.type)) parts.push(`## ${inLine(sanitizeLine(agent))}`);
    isAgents = entry.type !== 'user_message' && (isAgents || ofAgent.has(entry.type));
    parts.push(place === undefined ? text : `*(${place})*\n\n${text}`);
  }
  return `${parts.join('\n\n')}\n`;
}

const ofAgent: ReadonlySet<EntryType> = new Set(['agent_message', 'agent_thought', 'tool_call', 'plan']);

/** Returns content blocks; anything but text by name. `plain` text is not Markdown. */
function contentMarkdown(
  content: readonly acp.ContentBlock[],
  cwd: string,
  kind: 'markdown' | 'plain',
): string {
  return content
    .filter((block) => !isHidden(block))
    .map((block) => {
      if (block.type !== 'text') return inLine(attachmentLabel(block, cwd));
      return kind === 'markdown' ? closed(block.text.trim()) : block.text.trim();
    })
    .filter(Boolean)
    .join('\n\n');
}

/** What is said of a step that has no box of its own. */
const STEPS: Readonly<Record<string, string>> = {in_progress: ' (in progress)', cancelled: ' (cancelled)'};

/** Returns a plan as a task list, as its Markdown, or as the name of its file. */
function planMarkdown(plan: acp.PlanUpdateContent): string {
  switch (plan.type) {
    case 'items':
      return listed(
        plan.entries.map((step) => {
          const status = stepStatus(step);
          const box = status === 'completed' ? '[x]' : '[ ]';
          return `${box} ${inLine(step.content)}${STEPS[status] ?? ''}`;
        }),
      );
    case 'markdown':
      return closed(plan.content);
    case 'file':
      return inLine(plan.uri);
    default:
      return 'This kind of plan cannot be shown.';
  }
}

const SIGNS = {
  completed: '✓',
  failed: '✗',
  cancelled: '⊘',
  rejected: '⊘',
  in_progress: '…',
  paused: '…',
  pending: '…',
} as const;

/** Returns a tool call: title, decision, outcome, and result. */
function toolCallMarkdown(entry: ToolCallEntry, document: SessionDocument): string {
  const {cwd} = document.facts;
  const title = toolTitle(entry);
  const labels = [decisionLabel(entry.permission) ?? [], refusedWritesLabel(entry) ?? []];
  const details = [toolDetails(entry, title, cwd), ...labels].flat();
  const head = `**${SIGNS[toolEnding(entry)]} ${inLine(title)}**${details.map((detail) => ` · ${inLine(detail)}`).join('')}`;
  if (isAskedByForm(entry)) return head;
  const command = commandLabel(entry, document.terminals);
  const input = inputText(entry);
  const result = plainResult(resultText(entry));
  return [
    head,
    command === undefined ? '' : codeFence(`$ ${command}`, 'console'),
    input === '' ? '' : codeFence(input),
    ...shownContent(entry, document.terminals).map((content) => partText(content, document)),
    result === '' ? '' : codeFence(result),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function partText(part: acp.ToolCallContent, {facts, terminals}: SessionDocument): string {
  switch (part.type) {
    case 'content': {
      const {content} = part;
      if (isHidden(content)) return '';
      if (content.type !== 'text') return inLine(attachmentLabel(content, facts.cwd));
      const text = withoutFence(plainResult(content.text).trim());
      return text === '' ? '' : codeFence(text);
    }
    case 'diff':
      return diffText(part, facts.cwd);
    case 'terminal': {
      const terminal = terminals.get(part.terminalId);
      return terminal ? terminalMarkdown(terminal) : '';
    }
    default:
      return '';
  }
}

/** Returns a command, its output, and how it failed. */
function terminalMarkdown(terminal: TerminalState): string {
  const {command, exit} = terminal;
  const words = exit && exitLabel(exit);
  const lines = [command === undefined ? '' : `$ ${command}`, terminalText(terminal), words ?? ''];
  return codeFence(lines.filter(Boolean).join('\n'), 'console');
}

const MARKS = {added: '+', removed: '-', context: ' '} as const;

/** Returns a change as a unified diff. */
function diffText(diff: acp.Diff, cwd: string): string {
  const {hunks, newFile} = comparedDiff(diff);
  const name = shownPath(diff.path, cwd);
  const lines = hunks.flatMap(({lines}) => [rangeOf(lines)].concat(lines.flatMap(lineText)));
  return codeFence([`--- ${newFile ? '/dev/null' : name}`, `+++ ${name}`, ...lines].join('\n'), 'diff');
}

/** Without numbers if they are unknown. */
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

/** Quotes every line, so that nothing left open continues after it. */
function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** Escapes untrusted inline text for Markdown. */
function inLine(text: string): string {
  return sanitizeLine(text).replaceAll(/[\\`*_[\]<>#|~!]/g, '\\$&');
}

function listed(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Closes a code block that the agent's Markdown left open. */
function closed(markdown: string): string {
  const last = fencedBlocks(markdown).at(-1);
  // An indented one ends with its container.
  if (!last || last.isClosed || last.indent > 3) return markdown;
  return `${markdown.replace(/\n$/, '')}\n${last.fence}`;
}

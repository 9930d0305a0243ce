import type * as acp from '@agentclientprotocol/sdk/unstable';
import {describeFailure} from '../../shared/failure-messages.ts';
import type {Failure} from '../../shared/failure.ts';
import type {Entry, EntryType} from '../../session/entries.ts';
import {messageText} from '../../session/selectors.ts';
import {
  compactionLabel,
  answerLines,
  outcomeLabel,
  stopReasonLabel,
  turnFacts,
} from '../../session/labels/labels.ts';
import {stepStatus} from '../../session/transcript/patches.ts';
import {subagentFacts} from '../../session/subagents/names.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {EntryPlace} from '../document.ts';
import {entriesOfSubagent, participantTitles, contextNote, subagentTitle, thoughtLabel} from '../text.ts';
import {contentHtml, markdownHtml} from './html-markdown.ts';
import {markup, type Markup, type Part} from '../../text/markup.ts';
import {terminalHtml, toolCallHtml} from './html-tool-call.ts';

type Writers = {
  readonly [Type in EntryType]: (
    entry: Extract<Entry, {type: Type}>,
    place: EntryPlace,
  ) => Part | Promise<Part>;
};

const writers: Writers = {
  user_message: ({content}, {document}) => contentHtml(content, document.facts.cwd, 'plain'),
  agent_message: ({content}, {document}) => contentHtml(content, document.facts.cwd, 'markdown'),
  agent_thought: (entry, {next}) =>
    markup`<details class="thought"><summary>${thoughtLabel(entry, next)}</summary>\n<p class="plain">${messageText(entry).trim()}</p></details>\n`,
  tool_call: (entry, {document}) => toolCallHtml(entry, document),
  plan: async ({content}) => markup`<b>Plan</b>\n${await planHtml(content)}`,
  notice: ({level, text}) => markup`<p class="plain ${level}">${LEVELS[level]}${text}</p>\n`,
  compaction: (entry) =>
    markup`<p class="dim">${compactionLabel(entry)}</p>\n<p class="plain dim">${messageText({content: entry.summary}).trim()}</p>\n`,
  subagent: async (entry, place) => {
    const {document} = place;
    const facts = subagentFacts(entry, undefined).map((fact) => ` · ${fact}`);
    const own = entriesOfSubagent(entry, place);
    const articles: Markup[] = [];
    for (const [index, each] of own.entries())
      articles.push(await entryHtml(each, {document, next: own[index + 1], within: entry.sessionId}));
    return markup`<details class="tool"><summary>Subagent ${subagentTitle(entry, document)}<span class="dim">${facts}</span></summary>\n${articles}</details>\n`;
  },
  session_message: async (entry, {document}) => {
    const {from, to} = participantTitles(entry, document);
    const content = await contentHtml(entry.content, document.facts.cwd, 'markdown');
    return markup`<p class="dim">Message${from === undefined ? '' : ` from ${from}`}${to === undefined ? '' : ` to ${to}`}</p>\n${content}`;
  },
  unknown: ({kind, count, json}) =>
    markup`<details><summary class="dim">Unknown update “${kind}”${count > 1 ? ` ×${count}` : ''}</summary>\n<pre class="output">${json}</pre></details>\n`,
  turn_end: ({summary}) => {
    const {outcome} = summary;
    const words = stopReasonLabel(summary);
    const how =
      outcome.kind === 'failed'
        ? failureHtml(outcome.failure)
        : words && markup`<p class="warning">${words}</p>\n`;
    return markup`${how}<p class="dim">${turnFacts(summary).join(' · ')}</p>\n`;
  },
  failure: ({failure}) => failureHtml(failure),
  elicitation: (entry) =>
    markup`<p class="plain">${entry.message}</p>\n${entry.url === undefined ? '' : markup`<p class="plain">${entry.url}</p>\n`}<ul>\n${answerLines(entry).map((line) => markup`<li class="plain">${line}</li>\n`)}</ul>\n<p class="dim">${outcomeLabel(entry)}</p>\n`,
  shell_command: ({command, terminalId}, {document}) => {
    const terminal = document.terminals.get(terminalId);
    const card = terminal ? terminalHtml(terminal) : markup`<pre class="terminal">$ ${command}</pre>\n`;
    return markup`<p class="dim">The user’s own command</p>\n${card}`;
  },
};

/** Returns an entry as HTML. */
export async function entryHtml(entry: Entry, location: EntryPlace): Promise<Markup> {
  const write = writers[entry.type] as (entry: Entry, place: EntryPlace) => Part | Promise<Part>;
  const words = contextNote(entry);
  const note = words === undefined ? undefined : markup`<p class="dim">(${words})</p>\n`;
  const body = await write(entry, location);
  return markup`<article class="${entry.type.replace('_', '-')}">${note}${body}</article>\n`;
}

function failureHtml(failure: Failure): Markup {
  const {what, why, todo} = describeFailure(failure);
  const [reason, advice] = [why, todo].map((text) => text && markup`<p class="plain dim">${text}</p>\n`);
  return markup`<p class="error">${what}</p>\n${reason}${advice}`;
}

const LEVELS = {info: '', warning: 'Warning: ', error: 'Error: '} as const;
const BOXES = {pending: '○', in_progress: '◐', completed: '✓', cancelled: '⊘'} as const;

async function planHtml(plan: acp.PlanUpdateContent): Promise<Markup> {
  switch (plan.type) {
    case 'items': {
      const items = plan.entries.map((step) => {
        const status = stepStatus(step);
        const box = BOXES[status] ?? BOXES.pending;
        return markup`<li class="${Object.hasOwn(BOXES, status) ? status : 'pending'}">${box} ${step.content}</li>\n`;
      });
      return markup`<ul class="steps">\n${items}</ul>\n`;
    }
    case 'markdown':
      return markdownHtml(plan.content);
    case 'file':
      return markup`<p>${sanitizeLine(plan.uri)}</p>\n`;
    default:
      return markup`<p class="dim">A plan of a kind that cannot be shown.</p>\n`;
  }
}

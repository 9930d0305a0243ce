import type {Entry, EntryType} from '../../session/entries.ts';
import {describeFailure} from '../../errors.ts';
import type {Failure} from '../../failure.ts';
import {messageText} from '../../session/selectors.ts';
import {compactionWords} from '../../session/words/compaction.ts';
import {answerLines, outcomeWords} from '../../session/words/elicitation.ts';
import {stopWords, turnFacts} from '../../session/words/turn-end.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {SessionDocument} from '../document.ts';
import {withoutPauses} from '../pace.ts';
import {agentWords, factRows, placeWords, thoughtWords} from '../words.ts';
import {contentText} from './content.ts';
import {fenced, inLine, listed, quoted} from './pieces.ts';
import {planText} from './plan.ts';
import {terminalMarkdown, toolCallText} from './tool-call.ts';

type Writers = {
  readonly [Type in EntryType]: (entry: Extract<Entry, {type: Type}>, place: Place) => string;
};

/** Where an entry stands. */
interface Place {
  readonly document: SessionDocument;
  readonly next: Entry | undefined;
}

const writers: Writers = {
  user_message: ({content}, {document}) =>
    `## You\n\n${quoted(contentText(content, document.facts.cwd, 'plain'))}`,
  agent_message: ({content}, {document}) => contentText(content, document.facts.cwd, 'markdown'),
  agent_thought: (entry, {next}) => quoted(`*${thoughtWords(entry, next)}*\n\n${messageText(entry).trim()}`),
  tool_call: (entry, {document}) => toolCallText(entry, document),
  plan: ({content}) => `**Plan**\n\n${planText(content)}`,
  notice: ({level, text}) => quoted(level === 'info' ? text : `**${levels[level]}** ${text}`),
  compaction: (entry) =>
    quoted(
      [compactionWords(entry), messageText({content: entry.summary}).trim()].filter(Boolean).join('\n\n'),
    ),
  subagent: ({title, description, state, sessionId}) =>
    quoted(
      `Subagent: ${inLine(title ?? description ?? sessionId)}${state === undefined ? '' : ` · ${inLine(state)}`}`,
    ),
  session_message: ({sender, recipient, content}, {document}) =>
    quoted(
      `Message${sender === undefined ? '' : ` from ${inLine(sender)}`}${recipient === undefined ? '' : ` to ${inLine(recipient)}`}\n\n` +
        contentText(content, document.facts.cwd, 'plain'),
    ),
  unknown: ({kind, count, json}) =>
    `Unknown update ${inLine(kind)}${count > 1 ? ` ×${count}` : ''}\n\n${fenced(json, 'json')}`,
  turn_end: ({summary}) => {
    const {outcome} = summary;
    const how = outcome.kind === 'failed' ? failureText(outcome.failure) : stopWords(summary);
    const facts = `*${turnFacts(summary).join(' · ')}*`;
    return how === undefined ? facts : `${quoted(how)}\n\n${facts}`;
  },
  failure: ({failure}) => quoted(failureText(failure)),
  elicitation: (entry) =>
    [
      quoted([entry.message, entry.url ?? ''].filter(Boolean).join('\n\n')),
      listed(answerLines(entry).map(inLine)),
      `*${outcomeWords(entry)}*`,
    ]
      .filter(Boolean)
      .join('\n\n'),
  shell_command: ({command, terminalId}, {document}) => {
    const terminal = document.terminals[terminalId];
    return `*The user’s own command*\n\n${terminal ? terminalMarkdown(terminal) : fenced(`$ ${command}`, 'console')}`;
  },
};

const levels = {warning: 'Warning:', error: 'Error:'} as const;

function failureText(failure: Failure): string {
  const {what, why, todo} = describeFailure(failure);
  return [`**${what}**`, why, todo].filter(Boolean).join('\n\n');
}

/** A session as Markdown: what the agent wrote as it wrote it, what the user wrote as quotes, tools with their output in fences. */
export async function writeMarkdown(document: SessionDocument, pace = withoutPauses): Promise<string> {
  const {facts, entries} = document;
  const agent = agentWords(facts);
  const parts = [
    `# ${inLine(facts.title)}`,
    listed(factRows(document).map(([name, value]) => `${name}: ${inLine(value)}`)),
  ];
  let isAgents = false;
  for (const [index, entry] of entries.entries()) {
    await pace();
    const place = placeWords(entry);
    const write = writers[entry.type] as (entry: Entry, place: Place) => string;
    const text = write(entry, {document, next: entries[index + 1]});
    if (text.trim() === '') continue;
    if (!isAgents && ofAgent.has(entry.type)) parts.push(`## ${inLine(sanitizeLine(agent))}`);
    isAgents = entry.type !== 'user_message' && (isAgents || ofAgent.has(entry.type));
    parts.push(place === undefined ? text : `*(${place})*\n\n${text}`);
  }
  return `${parts.join('\n\n')}\n`;
}

const ofAgent: ReadonlySet<EntryType> = new Set(['agent_message', 'agent_thought', 'tool_call', 'plan']);

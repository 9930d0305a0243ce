import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isHidden} from '../../session/content.ts';
import type {ToolCallEntry} from '../../session/entries.ts';
import {commandWords} from '../../session/words/command.ts';
import {decisionWords} from '../../session/words/permission.ts';
import {inputText} from '../../session/words/input.ts';
import {resultText} from '../../session/words/raw.ts';
import {plainResult} from '../../session/words/result-rows.ts';
import {toolEnding} from '../../session/words/tool-ending.ts';
import {toolDetails, toolTitle} from '../../session/words/tool-title.ts';
import {withoutFence} from '../../session/words/without-fence.ts';
import type {SessionDocument} from '../document.ts';
import {attachedHtml} from './content.ts';
import {diffHtml} from './diff.ts';
import {markup, type Markup} from './markup.ts';
import {terminalHtml} from './terminal.ts';

const SIGNS = {
  pending: '○',
  in_progress: '◐',
  completed: '✓',
  failed: '✗',
  cancelled: '⊘',
  rejected: '⊘',
} as const;

/** Results of a look around are folded: what was changed or run is what a reader wants to see. */
const FOLDED: ReadonlySet<acp.ToolKind> = new Set(['read', 'search', 'think', 'fetch']);

/** A tool call as a card: a headline, and what came of it to unfold. */
export function toolCallHtml(entry: ToolCallEntry, document: SessionDocument): Markup {
  const title = toolTitle(entry);
  const ending = toolEnding(entry);
  const details = toolDetails(entry, title, document.facts.cwd).map((detail) => ` · ${detail}`);
  const headline = markup`<span class="state">${SIGNS[ending]}</span> <b>${title}</b><span class="dim">${details}</span>`;
  const body = bodyOf(entry, document);
  if (body.length === 0) return markup`<div class="tool ${ending}">${headline}</div>\n`;
  const open = FOLDED.has(entry.kind) && ending !== 'failed' ? '' : ' open';
  return markup`<details class="tool ${ending}"${open}><summary>${headline}</summary>\n${body}</details>\n`;
}

function bodyOf(entry: ToolCallEntry, document: SessionDocument): readonly Markup[] {
  const decision = decisionWords(entry.permission);
  const command = commandWords(entry, document.terminals);
  const input = inputText(entry);
  const result = plainResult(resultText(entry));
  return [
    decision === undefined ? [] : markup`<p class="dim">${decision}</p>\n`,
    command === undefined ? [] : markup`<pre class="output">$ ${command}</pre>\n`,
    input === '' ? [] : markup`<pre class="output">${input}</pre>\n`,
    ...entry.content.map((part) => partHtml(part, {document, kind: entry.kind})),
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
      const terminal = terminals[part.terminalId];
      return terminal ? terminalHtml(terminal) : [];
    }
    default:
      return [];
  }
}

import type * as acp from '@agentclientprotocol/sdk/unstable';
import {visibleText} from '../../session/content.ts';
import type {ToolCallEntry} from '../../session/entries.ts';
import {commandWords} from '../../session/words/command.ts';
import {resultText} from '../../session/words/raw.ts';
import {plainResult} from '../../session/words/result-rows.ts';
import type {SessionState} from '../../session/state.ts';
import {compactNumber, cost} from '../../text/format.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {RunResult} from '../schema.ts';

/** How many lines of one tool's output `--include tools` shows; the last ones, since an end tells how it went. */
const MAX_OUTPUT_LINES = 20;
const BOXES: Readonly<Record<acp.PlanEntry['status'], string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
};

export function toolBegins(call: ToolCallEntry): string {
  return `tool: ${sanitizeLine(call.title)} (begins)`;
}

/** What was run where the title does not say it, and how it ended. */
export function toolEnds(call: ToolCallEntry, {terminals}: Pick<SessionState, 'terminals'>): string {
  const told = [call.title, commandWords(call, terminals)].filter((text) => text !== undefined);
  return `tool: ${sanitizeLine(told.join(': '))} (${endOf(call)})`;
}

function endOf({permission, status}: ToolCallEntry): string {
  if (permission?.outcome === 'rejected') return 'refused';
  return status === 'pending' || status === 'in_progress' ? 'unfinished' : status;
}

/** What a tool gave back, indented below its line. */
export function toolOutput(call: ToolCallEntry, state: SessionState): string[] {
  const told = [...call.content.map((item) => textOf(item, state)), plainResult(resultText(call))];
  const lines = told
    .map((text) => text.trimEnd())
    .filter((text) => text !== '')
    .flatMap((text) => text.split('\n'));
  const shown = lines.slice(-MAX_OUTPUT_LINES).map((line) => `  ${line}`);
  const hidden = lines.length - shown.length;
  return hidden > 0 ? [`  … ${hidden} lines before`, ...shown] : shown;
}

/** Text of the state, which is sanitized already. */
function textOf(item: acp.ToolCallContent, state: SessionState): string {
  if (item.type === 'content') return plainResult(visibleText([item.content]));
  if (item.type === 'diff') return `changes ${item.path}`;
  return state.terminals[item.terminalId]?.output ?? '';
}

export function planLines(entries: readonly acp.PlanEntry[]): string[] {
  return entries.map(({content, status}) => `plan: ${BOXES[status]} ${sanitizeLine(content)}`);
}

/** A plan in prose, without its empty lines. */
export function planText(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => `plan: ${sanitizeLine(line)}`);
}

export function noticeLine(level: string, text: string): string {
  const name = level === 'warning' || level === 'error' ? level : 'notice';
  return `${name}: ${sanitizeLine(text)}`;
}

export function usageLine({tokens, context, cost: amount}: RunResult['usage']): string {
  const parts = [
    tokens && `${compactNumber(tokens.input)} tokens in, ${compactNumber(tokens.output)} out`,
    context && `context ${compactNumber(context.used)} of ${compactNumber(context.size)}`,
    amount && cost(amount),
  ].filter((part) => part !== null);
  return `usage: ${parts.length > 0 ? parts.join(', ') : 'the agent told none'}`;
}

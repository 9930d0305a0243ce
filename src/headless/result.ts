import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {RunOutcome} from '../cli/exit-codes.ts';
import type {DeniedRequest} from '../host/services.ts';
import type {ToolCallEntry} from '../session/entries.ts';
import type {SessionState} from '../session/state.ts';
import {messageText} from '../session/selectors.ts';
import {subagentName, workedMs} from '../session/subagents/names.ts';
import {subagentTree} from '../session/subagents/tree.ts';
import {visibleText} from '../session/transcript/content.ts';
import type {RunError} from './explain-errors.ts';
import type {RunResult} from './schema.ts';

interface ResultParts {
  readonly state: SessionState;
  readonly messages: readonly string[];
  readonly content: RunResult['content'];
  readonly denied: readonly DeniedRequest[];
  readonly stopReason: RunOutcome['stopReason'];
  readonly error: RunError | undefined;
  readonly exitCode: number;
  readonly durationMs: number;
}

/** Returns the object that `json` prints and `stream-json` ends with. */
export function resultOf(parts: ResultParts): RunResult {
  const {state, messages, content, denied, stopReason, error, exitCode, durationMs} = parts;
  return {
    v: 1,
    type: 'result',
    agent: agentOf(state),
    sessionId: state.sessionId ?? null,
    stopReason: stopReason ?? null,
    text: messages.join('\n\n'),
    toolCalls: toolCallsOf(state),
    subagents: subagentsOf(state),
    content,
    denied: denied.map((request) => deniedOf(request, state)),
    usage: usageOf(state),
    notices: noticesOf(state),
    error: error ? {kind: error.kind, message: error.message} : null,
    exitCode,
    durationMs,
  };
}

/* Parts of the state in the stable format of schema.ts: undefined becomes null, and undocumented fields are left out. */

export function agentOf({agent}: SessionState): RunResult['agent'] {
  return (agent && {name: agent.name, title: agent.title ?? null, version: agent.version ?? null}) || null;
}

export function costOf(cost: acp.Cost | null | undefined): RunResult['usage']['cost'] {
  return cost ? {amount: cost.amount, currency: cost.currency} : null;
}

export function locationOf({
  path,
  line,
}: acp.ToolCallLocation): RunResult['toolCalls'][number]['locations'][number] {
  return {path, line: line ?? null};
}

function toolCallsOf(state: SessionState): RunResult['toolCalls'] {
  return state.entries.filter((entry) => entry.type === 'tool_call').map(toolCallOf);
}

function toolCallOf(entry: ToolCallEntry): RunResult['toolCalls'][number] {
  const {toolCallId, title, name, kind, status, locations, permission} = entry;
  return {
    toolCallId,
    title,
    name: name ?? null,
    kind,
    status,
    locations: locations.map(locationOf),
    permission: permission
      ? {outcome: permission.outcome, option: permission.option ?? null, by: permission.by}
      : null,
  };
}

/** The subagents of this run, each followed by its own. */
function subagentsOf(state: SessionState): RunResult['subagents'] {
  return subagentTree(state).map(({entry, session}) => ({
    sessionId: entry.sessionId,
    parent: state.subagents[entry.sessionId]?.parent ?? null,
    title: session.title ?? null,
    state: entry.state ?? null,
    stopReason: entry.stopReason ?? null,
    text: session.entries
      .flatMap((entry) => (entry.type === 'agent_message' ? messageText(entry).trim() || [] : []))
      .join('\n\n'),
    toolCalls: toolCallsOf(session),
    tokens: entry.usage?.totalTokens ?? session.usage?.used ?? null,
    durationMs: workedMs(entry, session),
  }));
}

function deniedOf(request: DeniedRequest, state: SessionState): RunResult['denied'][number] {
  const {method, title, kind, toolCallId, allowedBy, rule} = request;
  return {
    method,
    title,
    kind: kind ?? null,
    toolCallId: toolCallId ?? null,
    allowedBy: allowedBy ?? null,
    rule: rule ?? null,
    subagent: refusedSubagent(request, state) ?? null,
  };
}

/** Returns the name of the subagent that sent a refused request; undefined for the session's own. */
export function refusedSubagent({sessionId}: DeniedRequest, state: SessionState): string | undefined {
  return sessionId !== undefined && state.subagents[sessionId] ? subagentName(state, sessionId) : undefined;
}

/** Tokens are the turn's; context and cost are the session's. */
function usageOf({lastTurn, usage}: SessionState): RunResult['usage'] {
  return {
    tokens: lastTurn?.usage ? tokensOf(lastTurn.usage) : null,
    context: usage && (usage.used > 0 || usage.size > 0) ? {used: usage.used, size: usage.size} : null,
    cost: costOf(usage?.cost),
  };
}

function tokensOf(usage: acp.Usage): NonNullable<RunResult['usage']['tokens']> {
  return {
    total: usage.totalTokens,
    input: usage.inputTokens,
    output: usage.outputTokens,
    thought: usage.thoughtTokens ?? null,
    cachedRead: usage.cachedReadTokens ?? null,
    cachedWrite: usage.cachedWriteTokens ?? null,
  };
}

/** Notices of agent and client, and messages of the agent outside of the turn. */
function noticesOf(state: SessionState): RunResult['notices'] {
  return state.entries.flatMap((entry): RunResult['notices'] => {
    if (entry.type === 'notice') return [{level: entry.level, text: entry.text, source: entry.source}];
    if (entry.type !== 'agent_message' || entry.turn !== undefined) return [];
    return [{level: 'info', text: visibleText(entry.content), source: 'agent'}];
  });
}

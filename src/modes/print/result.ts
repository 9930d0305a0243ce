import {statSync, writeFileSync} from 'node:fs';
import {access, constants, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {exitCodeOf, type RunOutcome} from '../../cli/exit-codes.ts';
import type {DeniedRequest} from '../../host/services.ts';
import type {ToolCallEntry} from '../../session/entries.ts';
import {NO_ANSWER} from '../../session/labels/labels.ts';
import {messageText} from '../../session/selectors.ts';
import type {SessionState} from '../../session/state.ts';
import {subagentName, workedMs} from '../../session/subagents/names.ts';
import {subagentTree} from '../../session/subagents/tree.ts';
import {visibleText} from '../../session/transcript/content.ts';
import {failureSentence} from '../../shared/failure-messages.ts';
import {DONE, fail, type Failure, type Result} from '../../shared/failure.ts';
import {fileFailed, writeFailure} from '../../shared/files/file-failure.ts';
import {replaceFile} from '../../shared/files/safe-files.ts';
import {pluralize} from '../../text/format.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {ConversationEnding, RunContext} from './context.ts';
import {explainError, type RunError} from './explain-errors.ts';
import {leftOutOfText, saveContent} from './save-content.ts';
import type {RunResult} from './schema.ts';

/** How long a run that is leaving waits for a slow reader, in milliseconds. */
const LEAVE_MS = 1000;

/** Writes result, last message and errors; resolves to the exit code when everything is written, or cannot be. */
export async function report(run: RunContext, ending: ConversationEnding): Promise<number> {
  const {conversation, options, io, answer, format, interruptions, startedAt} = run;
  const messages = answer.messages();
  const state = conversation.ownState();
  const denied = deniedIn(run, ending);
  const {content, failure: notSaved} = await saveContent(state, options.saveContent);
  const outcome = saved(run, outcomeOf(run, ending, notSaved));
  const error =
    ending.kind === 'wrong_usage'
      ? usageError(ending)
      : explainError(outcome, {
          timeoutSeconds: options.timeoutSeconds,
          denied: denied.map((request) => ({...request, subagent: refusedSubagent(request, state)})),
          session: options.save ? state.sessionId : undefined,
          agent: conversation.agent,
        });
  const exitCode = ending.kind === 'wrong_usage' ? 2 : exitCodeOf(outcome);
  const durationMs = Math.round(performance.now() - startedAt);
  const {stopReason} = outcome;
  const leftOut = options.saveContent === undefined ? leftOutOfText(content) : undefined;
  format.finish(
    resultOf({state, messages, content, leftOut, denied, stopReason, error, exitCode, durationMs}),
    answer.lastMessage(),
  );
  io.stdout.flush();
  reportSavedContent(run, content);
  if (leftOut !== undefined) io.stderr.write(`acp-tui: warning: ${leftOut}\n`);
  if (error) io.stderr.write(`acp-tui: ${error.message}\n`);
  else if (state.lastTurn?.isEmpty) io.stderr.write(`acp-tui: warning: ${NO_ANSWER}\n`);
  if ((await isWritten(run)) || ending.kind === 'wrong_usage') return exitCode;
  const {signal, timedOut, notWritten} = interruptions;
  if (notWritten && !outcome.failure) io.stderr.write(`acp-tui: ${failureSentence(notWritten)}\n`);
  await isWritten(run);
  return exitCodeOf({...outcome, signal, timedOut, failure: outcome.failure ?? notWritten});
}

/** Prints one line for formats that do not list the files. */
function reportSavedContent({options, format, io}: RunContext, content: RunResult['content']): void {
  const files = content.filter(({path}) => path !== null).length;
  if (!format.narrates || files === 0) return;
  io.stderr.write(
    `content: saved ${pluralize(files, 'file')} in ${sanitizeLine(options.saveContent ?? '')}\n`,
  );
}

/** A run that is leaving waits a moment for a slow reader; one that hurries does not. */
function isWritten({io, interruptions: {leave, hurry}}: RunContext): Promise<boolean> {
  const written = Promise.all([io.stdout.written(), io.stderr.written()]);
  return Promise.race([
    written.then(([broken]) => broken === undefined),
    hurry.then(() => false),
    leave.then(() => delay(LEAVE_MS, false, {ref: false})),
  ]);
}

function deniedIn({conversation}: RunContext, ending: ConversationEnding): readonly DeniedRequest[] {
  return conversation.denied().slice(ending.kind === 'turn' ? ending.deniedBefore : 0);
}

function outcomeOf(run: RunContext, ending: ConversationEnding, notSaved: Failure | undefined): RunOutcome {
  const {conversation, interruptions, io} = run;
  const {outcome, lost} = ending.kind === 'turn' ? ending : {};
  const notWritten = interruptions.notWritten ?? io.notRecorded() ?? notSaved;
  return {
    signal: interruptions.signal,
    timedOut: interruptions.timedOut,
    failure: outcome?.kind === 'failed' ? outcome.failure : (lost ?? notWritten),
    denied: deniedIn(run, ending).length > 0,
    limitReached: conversation.state().limitReached,
    stopReason: outcome?.kind === 'stopped' ? outcome.stopReason : undefined,
  };
}

/** Writes the last message, or a part of one, to the file of `--output`; never touches the file if no turn started. */
function saved({options, answer}: RunContext, outcome: RunOutcome): RunOutcome {
  const messages = answer.messages();
  if (options.output === undefined || (messages.length === 0 && outcome.stopReason === undefined))
    return outcome;
  const result = writeLastMessage(options.output, answer.lastMessage());
  return result.ok || outcome.failure ? outcome : {...outcome, failure: result.failure};
}

function usageError({problem}: Extract<ConversationEnding, {kind: 'wrong_usage'}>): RunError {
  return {kind: 'usage', message: typeof problem === 'string' ? problem : failureSentence(problem)};
}

/** Checks that the `--output` file can be written, before a prompt is sent and paid for. */
export async function checkOutputFile(path: string): Promise<Result<void>> {
  try {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return fileFailed(path, 'it is a folder');
    await access(!found || found.isFile() ? dirname(path) : path, constants.W_OK);
    return DONE;
  } catch (error) {
    return fileFailed(path, error);
  }
}

/** Writes the last message atomically: readers see the old text or the new one. */
function writeLastMessage(path: string, message: string | undefined): Result<void> {
  try {
    const text = message === undefined ? '' : `${message}\n`;
    const found = statSync(path, {throwIfNoEntry: false});
    // A pipe or device is written to, never replaced.
    if (found && !found.isFile()) writeFileSync(path, text);
    else replaceFile(path, text, found ? found.mode & 0o777 : 0o666);
    return DONE;
  } catch (error) {
    return fail(writeFailure({file: path}, error));
  }
}

interface ResultParts {
  readonly state: SessionState;
  readonly messages: readonly string[];
  readonly content: RunResult['content'];
  readonly leftOut: string | undefined;
  readonly denied: readonly DeniedRequest[];
  readonly stopReason: RunOutcome['stopReason'];
  readonly error: RunError | undefined;
  readonly exitCode: number;
  readonly durationMs: number;
}

/** Returns the object that `json` prints and `stream-json` ends with. */
function resultOf(parts: ResultParts): RunResult {
  const {state, messages, content, leftOut, denied, stopReason, error, exitCode, durationMs} = parts;
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
    notices: [...noticesOf(state), ...(leftOut === undefined ? [] : [warning(leftOut)])],
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
function refusedSubagent({sessionId}: DeniedRequest, state: SessionState): string | undefined {
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
function warning(text: string): RunResult['notices'][number] {
  return {level: 'warning', text, source: 'client'};
}

function noticesOf(state: SessionState): RunResult['notices'] {
  return state.entries.flatMap((entry): RunResult['notices'] => {
    if (entry.type === 'notice') return [{level: entry.level, text: entry.text, source: entry.source}];
    if (entry.type !== 'agent_message' || entry.turn !== undefined) return [];
    return [{level: 'info', text: visibleText(entry.content), source: 'agent'}];
  });
}

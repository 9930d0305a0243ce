import type * as acp from '@agentclientprotocol/sdk/unstable';
import {withoutSpaces} from '../text/format.ts';
import {sanitize} from '../text/sanitize.ts';
import {titleFromAgent} from './titles.ts';
import {startOfText} from '../text/truncate.ts';
import type {MessageEntry, UnknownEntry} from './entries.ts';
import type {UpdateOf, Update, UpdateKind} from './events.ts';
import {cursorUpdated, promptSuggested, stateUpdated} from './lifecycle/live.ts';
import {toolCallUpdated} from './requests/permissions.ts';
import {reportedLimit} from './queue/provider-limit.ts';
import {currentMode} from './selectors.ts';
import {configOption, optionValueName} from './settings/options.ts';
import {withMode} from './settings/settings.ts';
import {modeAsksLess, optionAsksLess} from './settings/unattended.ts';
import type {SessionState, TurnState} from './state.ts';
import {upsertSubagent} from './subagents/tree.ts';
import {visibleText, appendContent, appendBlock} from './transcript/content.ts';
import {isReplacement} from './transcript/patches.ts';
import {STABLE_PLAN, upsertPlan, removePlan} from './transcript/plans.ts';
import {
  appendEntry,
  isAside,
  findMessage,
  patch,
  replaceEntry,
  upsertEntry,
  type EntryData,
  type Upsert,
} from './transcript/transcript.ts';

/** A replayed message, or the echo of a prompt that was just sent or steered in, which is shown already. */
function userMessageChunk(
  state: SessionState,
  chunk: UpdateOf<'user_message_chunk'>,
  at: number,
): SessionState {
  if (isReplacement(chunk) || !echoesPrompt(state, chunk))
    return appendChunk(state, 'user_message', {chunk, at});
  return withMessageId(state, chunk.messageId);
}

/** The agent says which id the prompt has that it echoes: another one for a prompt of an earlier turn, which is sent again. */
function withMessageId(state: SessionState, messageId: string | null | undefined): SessionState {
  const {entries, turn} = state;
  const index = entries.findLastIndex(({type}) => type === 'user_message');
  const prompt = entries.get(index);
  if (!messageId || turn.kind === 'idle' || prompt?.type !== 'user_message') return state;
  if (prompt.messageId !== undefined && prompt.turn === turn.turn) return state;
  return replaceEntry(state, index, {...prompt, messageId});
}

/**
 * True if nothing but thoughts was received since the prompt, and the chunk is a part of it; agents split and space it differently. The first chunk with an id
 * has to be its start, since words of another message may be in it, too.
 */
function echoesPrompt(state: SessionState, {content: block, messageId}: acp.ContentChunk): boolean {
  const {turn, entries} = state;
  if (turn.kind === 'idle') return false;
  const last = entries.findLast((entry) => !isAside(entry) && entry.type !== 'agent_thought');
  // A repeated prompt is in an earlier turn.
  const prompt = last?.turn === turn.turn ? last : entries.get(turn.promptEntry);
  // The client's own prompts are complete from the start; replayed ones arrive in chunks.
  if (prompt?.type !== 'user_message' || !prompt.complete) return false;
  if (block.type !== 'text') return prompt.content.some(({type}) => type === block.type);
  const whole = withoutSpaces(visibleText(prompt.content));
  const part = withoutSpaces(sanitize(block.text));
  return messageId && messageId !== prompt.messageId ? whole.startsWith(part) : whole.includes(part);
}

/** Appends a chunk to its message (see `findMessage`), or starts a new message. */
function appendChunk(
  state: SessionState,
  type: MessageEntry['type'],
  {chunk, at}: {readonly chunk: acp.ContentChunk; readonly at: number},
): SessionState {
  if (isEmptyText(chunk.content) && !isReplacement(chunk)) return state;
  const messageId = chunk.messageId ?? undefined;
  const index = findMessage(state, type, messageId);
  if (isReplacement(chunk) && index !== -1) return replaceMessage(state, index, {chunk, at});
  if (index === -1) {
    if (isEmptyText(chunk.content)) return state;
    const streamed = appendContent({content: []}, chunk.content);
    return appendEntry(state, {type, messageId, ...streamed, complete: false}, at);
  }
  const entry = state.entries.get(index) as MessageEntry;
  const streaming = entry.complete ? [...state.streaming, index] : state.streaming;
  const streamed = appendContent(entry, chunk.content);
  return replaceEntry({...state, streaming}, index, {...entry, ...streamed, complete: false});
}

function isEmptyText(block: acp.ContentBlock): boolean {
  return block.type === 'text' && block.text === '';
}

const MESSAGES: Readonly<Record<MessageEntry['type'], string>> = {
  user_message: 'a message of yours',
  agent_message: 'a message',
  agent_thought: 'a thought',
};

/** Begins a message anew, where it is. What was printed of it before stays in the scrollback, so that a line says that it no longer counts. */
function replaceMessage(
  state: SessionState,
  index: number,
  {chunk, at}: {readonly chunk: acp.ContentChunk; readonly at: number},
): SessionState {
  const entry = state.entries.get(index) as MessageEntry;
  const isGone = isEmptyText(chunk.content);
  const streamed = isGone ? {content: [], carry: undefined} : appendContent({content: []}, chunk.content);
  const replaced = replaceEntry(state, index, {...entry, ...streamed, replaced: (entry.replaced ?? 0) + 1});
  if (entry.content.length === 0) return replaced;
  const text = `The agent has ${isGone ? 'withdrawn' : 'changed'} ${MESSAGES[entry.type]}.`;
  return appendEntry(replaced, {type: 'notice', level: 'info', text, source: 'client'}, at);
}

/** "Session Modes": the agent changed the mode. Reported in a notice, which is a warning if the agent stops asking in that mode, or asks less. */
function currentModeUpdate(
  before: SessionState,
  {currentModeId}: UpdateOf<'current_mode_update'>,
  at: number,
): SessionState {
  const state = withMode(before, currentModeId);
  const mode = currentMode(state);
  const previous = currentMode(before);
  if (mode === undefined || mode === previous) return state;
  return appendEntry(state, settingNotice(`Mode changed to ${mode.name}.`, modeAsksLess(before, state)), at);
}

function settingNotice(text: string, asksLess: boolean): EntryData<'notice'> {
  return {type: 'notice', level: asksLess ? 'warning' : 'info', text, source: 'client'};
}

/** "Session Config Options": replaces the list; a notice reports each changed value, each new option, and each removed one, as for a mode. */
function configOptionUpdate(
  before: SessionState,
  {configOptions}: UpdateOf<'config_option_update'>,
  at: number,
): SessionState {
  let state: SessionState = {...before, configOptions};
  for (const notice of optionNotices(before, state)) state = appendEntry(state, notice, at);
  return state;
}

/** The first value from an agent is not a change. */
function optionNotices(before: SessionState, now: SessionState): readonly EntryData<'notice'>[] {
  if (before.configOptions === undefined) return [];
  const {configOptions = []} = now;
  const notice = (option: acp.SessionConfigOption, what: string) =>
    settingNotice(`${option.name} ${what} ${optionValueName(option)}.`, optionAsksLess(before, now, option));
  return [
    ...configOptions
      .filter((option) => hasNewValue(before, option))
      .map((option) => notice(option, 'changed to')),
    ...configOptions
      .filter(({id}) => !configOption(before, id))
      .map((option) => notice(option, 'now available:')),
    ...before.configOptions
      .filter(({id}) => !configOption(now, id))
      .map(({name}) => settingNotice(`${name} is no longer available.`, false)),
  ];
}

function hasNewValue(before: SessionState, option: acp.SessionConfigOption): boolean {
  const known = configOption(before, option.id);
  return known !== undefined && known.currentValue !== option.currentValue;
}

/** An omitted title stays; null clears it. */
function sessionInfoUpdate(state: SessionState, {title}: UpdateOf<'session_info_update'>): SessionState {
  if (title === undefined) return state;
  return {...state, title: titleFromAgent(title, state.cwd)};
}

/** Shares of the context window at which a notice says how full it is, in percent; from the second on it is a warning. */
const FULLNESS = [75, 90, 95] as const;

/** The cost is cumulative, and kept if an update omits it. */
function usageUpdate(
  before: SessionState,
  {used, size, cost, _meta}: UpdateOf<'usage_update'>,
  at: number,
): SessionState {
  const usage = {used, size, cost: cost ?? before.usage?.cost};
  const state = {...before, usage, turn: withReportedLimit(before.turn, reportedLimit(_meta))};
  const [share, known] = [percentOf(state.usage), percentOf(before.usage)];
  const passed = FULLNESS.findLast((limit) => share >= limit && known < limit);
  if (passed === undefined) return state;
  const level = passed === FULLNESS[0] ? 'info' : 'warning';
  const text = `The context window is ${Math.floor(share)}% full.`;
  return appendEntry(state, {type: 'notice', level, text, source: 'client'}, at);
}

function withReportedLimit(turn: TurnState, end: number | null | undefined): TurnState {
  return turn.kind === 'idle' || end === undefined ? turn : {...turn, limitEnd: end ?? undefined};
}

function percentOf(usage: SessionState['usage']): number {
  return usage && usage.size > 0 ? Math.min(100, (100 * usage.used) / usage.size) : 0;
}

function sessionMessage(state: SessionState, update: UpdateOf<'session_message'>, at: number): SessionState {
  const upsert = sessionMessageUpsert(update.messageId, (message) => ({
    ...message,
    sender: patch(message.sender, update.senderSessionId),
    recipient: patch(message.recipient, update.recipientSessionId),
    content: patch(message.content, update.content) ?? [],
  }));
  return upsertEntry(state, upsert, at);
}

function sessionMessageChunk(
  state: SessionState,
  {messageId, content}: UpdateOf<'session_message_chunk'>,
  at: number,
): SessionState {
  const upsert = sessionMessageUpsert(messageId, (message) => ({
    ...message,
    content: appendBlock(message.content, content),
  }));
  return upsertEntry(state, upsert, at);
}

/** A message between sessions (draft protocol): its sender may arrive before, during or after its content. */
function sessionMessageUpsert(
  messageId: acp.MessageId,
  change: (message: EntryData<'session_message'>) => EntryData<'session_message'>,
): Upsert<'session_message'> {
  return {
    type: 'session_message',
    id: messageId,
    unseen: {type: 'session_message', messageId, sender: undefined, recipient: undefined, content: []},
    change,
  };
}

function notice(
  state: SessionState,
  {severity, title, description}: UpdateOf<'notice'>,
  at: number,
): SessionState {
  const level = severity === 'error' || severity === 'warning' ? severity : 'info';
  const text = description ? `${title}\n${description}` : title;
  return appendEntry(state, {type: 'notice', level, text, source: 'agent'}, at);
}

function compactionUpdate(
  state: SessionState,
  {compactionId, status, summary, error}: UpdateOf<'compaction_update'>,
  at: number,
): SessionState {
  const upsert = compactionUpsert(compactionId, (compaction) => ({
    ...compaction,
    status,
    summary: patch(compaction.summary, summary) ?? [],
    error: patch(compaction.error, error),
  }));
  return upsertEntry(state, upsert, at);
}

function compactionSummaryChunk(
  state: SessionState,
  {compactionId, content}: UpdateOf<'compaction_summary_chunk'>,
  at: number,
): SessionState {
  const upsert = compactionUpsert(compactionId, (compaction) => ({
    ...compaction,
    summary: appendBlock(compaction.summary, content),
  }));
  return upsertEntry(state, upsert, at);
}

/** A compaction stays at its first position and is updated there; the first update means that it is in progress. */
function compactionUpsert(
  compactionId: acp.CompactionId,
  change: (compaction: EntryData<'compaction'>) => EntryData<'compaction'>,
): Upsert<'compaction'> {
  return {
    type: 'compaction',
    id: compactionId,
    unseen: {type: 'compaction', compactionId, status: 'in_progress', summary: [], error: undefined},
    change,
  };
}

/** Maximum JSON kept per entry, in UTF-16 units: enough to see what arrived, without filling the memory. */
const KEPT_JSON = 16 * 1024;

/** So many kinds may take turns. */
const MAX_UNKNOWN = 100;

/** Shows an update of an unknown kind. Consecutive ones of the same kind are counted in one entry. */
function appendUnknown(
  state: SessionState,
  {kind, json}: Pick<UnknownEntry, 'kind' | 'json'>,
  at: number,
): SessionState {
  const first = Math.max(state.sessionStart, state.entries.length - MAX_UNKNOWN);
  for (let index = state.entries.length - 1; index >= first; index--) {
    const entry = state.entries.get(index);
    if (entry?.type !== 'unknown') break;
    if (entry.kind !== kind) continue;
    return replaceEntry(state, index, {...entry, count: entry.count + 1, json: added(entry.json, json)});
  }
  return appendEntry(state, {type: 'unknown', kind, count: 1, json: added('', json)}, at);
}

function added(kept: string, json: string): string {
  if (kept.length >= KEPT_JSON) return kept;
  const all = kept === '' ? json : `${kept}\n${json}`;
  return all.length > KEPT_JSON ? `${startOfText(all, KEPT_JSON)}…` : all;
}

/** `at` is milliseconds since the epoch. */
type Fold<Kind extends UpdateKind> = (
  state: SessionState,
  update: UpdateOf<Kind>,
  at: number,
) => SessionState;

/** A fold for each kind of the schema and its drafts; a missing one fails the type check. */
const updates: {readonly [Kind in UpdateKind]: Fold<Kind>} = {
  user_message_chunk: userMessageChunk,
  agent_message_chunk: (state, chunk, at) => appendChunk(state, 'agent_message', {chunk, at}),
  agent_thought_chunk: (state, chunk, at) => appendChunk(state, 'agent_thought', {chunk, at}),
  // A repeated id updates a call, and an unknown one starts it.
  tool_call: toolCallUpdated,
  tool_call_update: toolCallUpdated,
  plan: (state, {entries}, at) => upsertPlan(state, {type: 'items', planId: STABLE_PLAN, entries}, at),
  plan_update: (state, {plan}, at) => upsertPlan(state, plan, at),
  plan_removed: (state, {planId}) => removePlan(state, planId),
  available_commands_update: (state, {availableCommands: commands}) => ({...state, commands}),
  current_mode_update: currentModeUpdate,
  config_option_update: configOptionUpdate,
  session_info_update: sessionInfoUpdate,
  usage_update: usageUpdate,
  notice,
  compaction_update: compactionUpdate,
  compaction_summary_chunk: compactionSummaryChunk,
  subagent_update: upsertSubagent,
  session_message: sessionMessage,
  session_message_chunk: sessionMessageChunk,
  state_update: stateUpdated,
  cursor_update: cursorUpdated,
  replay_complete: (state) => state,
  prompt_suggestions_update: promptSuggested,
  _unknown: appendUnknown,
};

/** Applies a `session/update` to a session. */
export function applyUpdate(state: SessionState, update: Update, at: number): SessionState {
  const fold = updates[update.sessionUpdate] as (
    state: SessionState,
    update: Update,
    at: number,
  ) => SessionState;
  return fold(state, update, at);
}

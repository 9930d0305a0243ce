import type * as acp from '@agentclientprotocol/sdk/unstable';
import {sanitizeDeep} from '../../text/sanitize.ts';
import {endOfText, startOfText} from '../../text/truncate.ts';
import {isWrite, keepPositions, mergeApproved} from './diffs.ts';
import {metaTerminalIds, applyMetaTerminals} from '../terminals/meta-terminals.ts';
import type {Entry, ToolCallEntry, ToolStatus} from '../entries.ts';
import type {PendingRequest, SessionState} from '../state.ts';
import {withRefusedWrites} from './refused-writes.ts';
import {changeEntries, findEntry, type EntryData, replaceEntry, upsertEntry} from './transcript.ts';
import {appends, canCancelAfter, clears, mergeFields, sentStatus, withWholeContent} from './patches.ts';
import {OWN_CALL, timelyPatch} from './call-ids.ts';
import {UNTITLED} from './tool-kinds.ts';
import {isFinished} from './tool-status.ts';

type ToolCallFields = EntryData<'tool_call'>;

/**
 * Merges an update of a tool call into its entry ("Tool Calls"): a `tool_call`, a `tool_call_update` and the call in a permission request may arrive in any
 * order, and each may be the first. Omitted and null fields are kept.
 */
export function upsertToolCall(known: SessionState, sent: acp.ToolCallUpdate, at: number): SessionState {
  const {toolCallId} = sent;
  const state = joinedCall(known, sent);
  if (state === 'reported otherwise') return known;
  const patch = timelyPatch(state, sent);
  const before = applyMetaTerminals(state, patch);
  const change = (entry: ToolCallFields) => {
    const call = withWhatWasApproved(patchToolCall(entry, patch, at));
    return isFinished(call.status) ? withRefusedWrites(call, before) : call;
  };
  const upsert = {
    type: 'tool_call' as const,
    id: toolCallId,
    unseen: unseen(toolCallId),
    change,
  };
  return upsertEntry(before, upsert, at);
}

/**
 * Makes a call that acp-tui asked about or showed by itself the agent's, once the agent reports a call with its terminal, or with its write in the same turn: both
 * are one. What acp-tui still says of its own is about that one, of which only the agent says how it goes on.
 */
function joinedCall(
  state: SessionState,
  {toolCallId, content, status}: acp.ToolCallUpdate,
): SessionState | 'reported otherwise' {
  if (findToolCall(state, toolCallId) !== -1) return state;
  if (findEntry(state, 'asked_as', toolCallId) !== -1) return 'reported otherwise';
  if (!content?.some(({type}) => type === 'terminal' || type === 'diff')) return state;
  const {entries, sessionStart} = state;
  for (let index = findEntry(state, 'own_call', ''); index >= sessionStart; index--) {
    const entry = entries.get(index);
    if (entry?.type !== 'tool_call' || entry.askedAs !== entry.toolCallId) continue;
    if (hasTerminalOf(entry, content) || isWriteOf(entry, content, state))
      // What the agent says of it counts, also if it has ended.
      return replaceEntry(state, index, {
        ...entry,
        toolCallId,
        status: status ? 'in_progress' : entry.status,
      });
  }
  return state;
}

type Content = acp.ToolCallUpdate['content'];

function hasTerminalOf({content}: ToolCallEntry, reported: Content): boolean {
  const terminals = new Set(reported?.flatMap((part) => (part.type === 'terminal' ? part.terminalId : [])));
  return content.some((part) => part.type === 'terminal' && terminals.has(part.terminalId));
}

/** The last diff is the whole write. */
function isWriteOf(call: ToolCallEntry, content: Content, {turn, pending}: SessionState): boolean {
  const diff = call.content.findLast((part) => part.type === 'diff');
  if (!diff || turn.kind === 'idle' || call.turn !== turn.turn) return false;
  const isPending = pending.some(
    (request) => request.kind === 'permission' && request.toolCallId === call.toolCallId,
  );
  const {path, oldText = null, newText: after} = diff;
  return !isPending && isWrite(content, {isOf: (other) => other === path, before: oldText, after});
}

/** Returns a call of which nothing was known. */
export function newToolCall(patch: acp.ToolCallUpdate, at: number): ToolCallFields {
  return patchToolCall(unseen(patch.toolCallId), patch, at);
}

function withWhatWasApproved(call: ToolCallFields): ToolCallFields {
  const {content, approvedChanges = []} = call;
  return approvedChanges.length === 0 ? call : {...call, content: mergeApproved(content, approvedChanges)};
}

/** Returns the index of a tool call in the open session; -1 if it is unknown. */
export function findToolCall(state: SessionState, toolCallId: acp.ToolCallId): number {
  return findEntry(state, 'tool_call', toolCallId);
}

/** Returns an update that appends to a call as version 1 has it: with all of the content of its call. `state` is that after it. */
export function wholeUpdate<CallUpdate extends acp.ToolCallUpdate>(
  update: CallUpdate,
  state: SessionState,
): CallUpdate {
  const entry = state.entries.get(findToolCall(state, update.toolCallId));
  return entry?.type === 'tool_call' ? withWholeContent(update, entry.content) : update;
}

/** Returns how long a call has waited for the user, including the request that is answered now. */
export function waitingTime(
  {waitedMs = 0}: ToolCallEntry,
  request: PendingRequest | undefined,
  at: number,
): Pick<ToolCallEntry, 'waitedMs'> {
  return request === undefined || at <= request.askedAt ? {} : {waitedMs: waitedMs + at - request.askedAt};
}

/** Marks unfinished calls as cancelled, from an index on ("Cancellation"). */
export function cancelToolCalls(state: SessionState, from: number, at: number): SessionState {
  return changeEntries(state, from, (entry: Entry) =>
    entry.type === 'tool_call' && !isFinished(entry.status)
      ? {...entry, status: 'cancelled', endedAt: at}
      : entry,
  );
}

function unseen(toolCallId: acp.ToolCallId): ToolCallFields {
  return {
    type: 'tool_call',
    toolCallId,
    ...(toolCallId.startsWith(OWN_CALL) && {askedAs: toolCallId}),
    title: '',
    name: undefined,
    kind: 'other',
    status: 'pending',
    content: [],
    locations: [],
    rawInput: undefined,
    rawOutput: undefined,
    endedAt: undefined,
    permission: undefined,
  };
}

/** Merges an update into a tool call; omitted and null fields are kept. */
export function patchToolCall(entry: ToolCallFields, patch: acp.ToolCallUpdate, at: number): ToolCallFields {
  const status = nextStatus(entry.status, sentStatus(patch) ?? entry.status);
  const {title, name, kind, content: shown, locations, rawInput} = mergeFields(patch, entry);
  const content = withTerminals(
    patch.content && !appends(patch) ? keepPositions(shown ?? [], entry.content) : (shown ?? []),
    metaTerminalIds(patch),
  );
  const rawOutput = patch.rawOutput ?? (clears(patch, 'rawOutput') ? undefined : entry.rawOutput);
  return {
    ...entry,
    title: title || name || UNTITLED,
    name: name ?? undefined,
    kind: kind ?? entry.kind,
    status,
    ...(sentStatus(patch) === 'cancelled' && {isCancelledByAgent: true}),
    ...(canCancelAfter(patch) !== undefined && {canCancel: canCancelAfter(patch)}),
    content: isFinished(status) ? content.map(withoutMiddle) : content,
    locations: locations ?? [],
    rawInput,
    rawOutput: isFinished(status) ? sanitizeDeep(rawOutput, {read: cutMiddle}) : rawOutput,
    endedAt: isFinished(status) ? (status === entry.status && entry.endedAt) || at : undefined,
  };
}

/** What is kept of both ends of a long text in a result, in UTF-16 units: together as much as of a command's output. */
const KEPT_END = 512 * 1024;
/** Longer ones are cut. With the note in the middle, so that a cut one is not cut again by the next update. */
const MAX_RESULT = 2 * KEPT_END + 100;

/** A result is kept in memory as long as the window is open. What is approved is not cut: it is in a call that has not finished. */
function withoutMiddle(part: acp.ToolCallContent): acp.ToolCallContent {
  if (part.type !== 'content' || part.content.type !== 'text') return part;
  const text = cutMiddle(part.content.text);
  return text === part.content.text ? part : {...part, content: {...part.content, text}};
}

function cutMiddle(text: string): string {
  if (text.length <= MAX_RESULT) return text;
  const [start, end] = [startOfText(text, KEPT_END), endOfText(text, KEPT_END)];
  return `${start}\n… ${text.length - start.length - end.length} characters are not kept …\n${end}`;
}

/** A cancelled call can still complete or fail, but never becomes active again. */
function nextStatus(current: ToolStatus, next: ToolStatus): ToolStatus {
  return current === 'cancelled' && !isFinished(next) ? current : next;
}

/** Adds a terminal that is only in `_meta` to the content of the call, so that its output is shown. */
function withTerminals(
  content: readonly acp.ToolCallContent[],
  terminalIds: readonly acp.TerminalId[],
): readonly acp.ToolCallContent[] {
  const missing = terminalIds.filter(
    (id) => !content.some((item) => item.type === 'terminal' && item.terminalId === id),
  );
  if (missing.length === 0) return content;
  return [...content, ...missing.map((terminalId) => ({type: 'terminal' as const, terminalId}))];
}

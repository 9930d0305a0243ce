import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isJsonObject, isNothing} from '../../text/json.ts';
import type {ToolCallEntry} from '../entries.ts';
import {asksAboutOther, goesOn} from '../requests/asked-call.ts';
import {runInput} from '../requests/run-input.ts';
import type {SessionState} from '../state.ts';
import {comparableTitle} from '../labels/plain-title.ts';
import {isChange} from './diffs.ts';
import {appends, clears, withoutSentStatus} from './patches.ts';
import {UNTITLED} from './tool-kinds.ts';
import {callNumber, numberedId, wireIdOf} from './entry-list.ts';
import {findEntry} from './transcript.ts';
import {hasRun} from './tool-status.ts';

/** How the IDs of calls begin that acp-tui creates. */
export const OWN_CALL = 'acp-tui-';

/*
 * Some models use the ID of a tool call again, in a later turn or the same one, or for calls that run at once. Here each call has an ID of its own: the agent's
 * while it is new, and from the second call on with a number, `call_0 #2`. An ID that the agent itself ends like that always gets a number, so each number counts
 * calls that are here. The agent's ID means the newest call that has it, and only while that runs in the
 * current turn. Which of several running calls a request means can't be told, so it is about none of them.
 */

/** What the agent sends about a call: what starts or repeats a call, what asks about one, or a change of one. */
type CallMessage = 'call' | 'request' | 'update';

/**
 * Returns the own ID of the call that a message of the agent is about: a new one if its call has ended, or is of another turn, if another call starts while it
 * runs, or if a request could be about several.
 */
export function ownCallId(
  session: SessionState | undefined,
  message: CallMessage,
  call: acp.ToolCallUpdate,
): acp.ToolCallId {
  const index = session ? findNewest(session, call.toolCallId) : -1;
  const entry = session?.entries.get(index);
  if (!session || entry?.type !== 'tool_call') return numberedId(call.toolCallId, 1);
  const isRunning = isOpen(session, index);
  const isSame =
    message === 'request'
      ? isRunning && isAskable(session, index) && !isShared(session, entry) && !asksAboutOther(entry, call)
      : isRunning
        ? message === 'update' || reportsAsked(session, entry, call) || !startsOther(entry, call)
        : isAboutPast(entry, message, call);
  return isSame ? entry.toolCallId : freeId(session, call.toolCallId);
}

/** True for an ID of the agent about which it has asked while its session loads: that call is in the session, and updates of it are not of the replay. */
export function isAskedWhileLoading(session: SessionState, wireId: acp.ToolCallId): boolean {
  return session.replay !== undefined && findNewest(session, wireId) >= session.askableFrom;
}

/** Returns the own ID of the newest call with an ID of the agent. */
export function newestCallId(session: SessionState, wireId: acp.ToolCallId): acp.ToolCallId {
  const entry = session.entries.get(findNewest(session, wireId));
  return entry?.type === 'tool_call' ? entry.toolCallId : numberedId(wireId, 1);
}

/** Returns the same call, of which what follows from its ID in its content and `_meta` has its own ID, too. */
export function withOwnId<Call extends acp.ToolCallUpdate>(call: Call, own: acp.ToolCallId): Call {
  const {toolCallId: wireId, content, _meta} = call;
  if (own === wireId) return call;
  const ownTerminal = {type: 'terminal' as const, terminalId: own};
  // Agents that run commands themselves name the terminal like the call.
  const renamed = content?.map((part) =>
    part.type === 'terminal' && part.terminalId === wireId ? ownTerminal : part,
  );
  const meta = Object.entries(_meta ?? {}).map(([key, value]) => {
    const isOfCall = isJsonObject(value) && value['terminal_id'] === wireId;
    return [key, isOfCall ? {...value, terminal_id: own} : value];
  });
  return {
    ...call,
    toolCallId: own,
    ...(renamed && {content: renamed}),
    ...(_meta && {_meta: Object.fromEntries(meta)}),
  };
}

/** Returns the own ID for another call with an ID of the agent. */
export function freeId(session: SessionState, wireId: acp.ToolCallId): acp.ToolCallId {
  const newest = session.entries.get(findNewest(session, wireId));
  let number = newest?.type === 'tool_call' ? callNumber(newest.toolCallId) + 1 : 1;
  // The newest has not the highest number if a call got its ID late, see `askedAs`.
  while (findEntry(session, 'tool_call', numberedId(wireId, number)) !== -1) number++;
  return numberedId(wireId, number);
}

/** Returns what an update may change in a call: of one that has ended, or is of another turn, neither what it was nor that it has ended. */
export function timelyPatch(session: SessionState, patch: acp.ToolCallUpdate): acp.ToolCallUpdate {
  const index = findEntry(session, 'tool_call', patch.toolCallId);
  const entry = session.entries.get(index);
  if (entry?.type !== 'tool_call') return patch;
  return hasEnded(entry) || !isOfNow(session, index) ? latePatch(entry, patch) : patch;
}

/** True for a call of the current turn. Without turns, as in a replay, the next prompt ends what went before. */
function isOfNow({entries, turn}: SessionState, index: number): boolean {
  if (turn.kind !== 'idle') return entries.get(index)?.turn === turn.turn;
  return entries.lastNamed('prompt', '') < index;
}

function latePatch(entry: ToolCallEntry, patch: acp.ToolCallUpdate): acp.ToolCallUpdate {
  const {title, name, kind, rawInput, locations, status, content, ...rest} = hasRun(patch.status)
    ? patch
    : withoutSentStatus(patch);
  const changes = entry.content.filter(isChange);
  const added = content?.filter((part) => changes.length === 0 || !isChange(part));
  const kept = clears(patch, 'content') || appends(patch) ? [] : changes;
  const hasInput = entry.rawInput !== undefined && entry.rawInput !== null;
  return {
    ...rest,
    ...((entry.title === '' || entry.title === UNTITLED) && title !== undefined && {title}),
    ...(entry.name === undefined && name !== undefined && {name}),
    ...(entry.kind === 'other' && kind !== undefined && {kind}),
    ...(!hasInput && rawInput !== undefined && {rawInput}),
    ...((entry.locations.length === 0 || clears(patch, 'locations')) &&
      locations !== undefined && {locations}),
    ...(hasRun(status) && {status}),
    ...(added && {content: [...kept, ...added]}),
  };
}

/** True for a call whose end the agent has reported; one that was cancelled here can still end. */
function hasEnded({status, isCancelledByAgent}: ToolCallEntry): boolean {
  return hasRun(status) || isCancelledByAgent === true;
}

/** True for what comes late about a call that is over: a change of it, or the end of one that was cancelled or rejected. */
function isAboutPast(entry: ToolCallEntry, message: CallMessage, patch: acp.ToolCallUpdate): boolean {
  if (message === 'call') return hasRun(patch.status) && !hasEnded(entry);
  return hasRun(patch.status) || !saysOther(entry, patch);
}

/** True for a call that a request can be about: of what came before the turn began or ended, and of what was cancelled, none is. */
function isAskable({askableFrom, entries, turn}: SessionState, index: number): boolean {
  const entry = entries.get(index);
  // What crosses the cancellation of its turn is answered with that.
  const isOver = entry?.type !== 'tool_call' || (entry.status === 'cancelled' && turn.kind !== 'cancelling');
  return index >= askableFrom && !isOver;
}

/** True for a call of the current turn that has neither ended nor been rejected. */
function isOpen(session: SessionState, index: number): boolean {
  const entry = session.entries.get(index);
  if (entry?.type !== 'tool_call' || !isOfNow(session, index)) return false;
  return !hasEnded(entry) && entry.permission?.outcome !== 'rejected';
}

/** True if another call that runs was given the same ID by the agent. */
function isShared(session: SessionState, newest: ToolCallEntry): boolean {
  const wireId = wireIdOf(newest.toolCallId);
  for (let number = callNumber(newest.toolCallId) - 1; number > 0; number--) {
    const index = findEntry(session, 'tool_call', numberedId(wireId, number));
    if (index === -1 || !isOfNow(session, index)) return false;
    if (isOpen(session, index)) return true;
  }
  return false;
}

/**
 * True if a `tool_call` with the ID of a call that runs starts another one. Some agents send one call several times, while its input streams: with nothing at
 * first, and then with more of the same.
 */
function startsOther(entry: ToolCallEntry, call: acp.ToolCallUpdate): boolean {
  const {title, kind, status, rawInput} = call;
  const isNew = (known: unknown, said: unknown) => !isNothing(said) && !goesOn(known, said);
  if (isNew(entry.rawInput, rawInput)) return true;
  if (hasRun(status)) return false;
  if (entry.kind !== 'other' && !isNothing(kind) && kind !== 'other' && kind !== entry.kind) return true;
  // Without its input, a call may have had the name of its tool as its title.
  const isBegun = isNothing(entry.rawInput) && (!isNothing(rawInput) || isJsonObject(entry.rawInput));
  const isNamed = entry.title !== UNTITLED && entry.title !== entry.name;
  const [known, said] = [entry.title, title].map(comparableTitle);
  return !isBegun && isNothing(rawInput) && isNamed && isNew(known, said) && !goesOn(said, known);
}

/** True for the report of a call that was asked about before it was reported: without its input, or with the command that the request shows and other details. */
function reportsAsked({pending}: SessionState, entry: ToolCallEntry, call: acp.ToolCallUpdate): boolean {
  const {permission, rawInput, kind, toolCallId} = entry;
  const isAsked = pending.some(
    (request) => request.kind === 'permission' && request.toolCallId === toolCallId,
  );
  if ((permission === undefined && !isAsked) || (call.kind ?? kind) !== kind) return false;
  const [asked, reported] = [runInput(rawInput), runInput(call.rawInput)];
  const what = (input: typeof asked) => JSON.stringify([input?.command, input?.folder, input?.variables]);
  return isNothing(call.rawInput) || (asked !== undefined && what(asked) === what(reported));
}

/** True if an update starts something else than a call has done. */
function saysOther(entry: ToolCallEntry, {status, title, rawInput}: acp.ToolCallUpdate): boolean {
  if (status !== 'pending' && status !== 'in_progress') return false;
  const isOther = (known: unknown, said: unknown) =>
    said !== undefined && said !== null && said !== '' && JSON.stringify(known) !== JSON.stringify(said);
  return isOther(comparableTitle(entry.title), comparableTitle(title)) || isOther(entry.rawInput, rawInput);
}

/** Returns the index of the newest call with an ID of the agent, in the open session; -1 if there is none. */
function findNewest(session: SessionState, wireId: acp.ToolCallId): number {
  return findEntry(session, 'wire_id', wireId);
}

import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {
  AgentMessageEntry,
  Entry,
  EntryType,
  SubagentEntry,
  ToolCallEntry,
  UserMessageEntry,
} from '../entries.ts';
import {withoutSpaces} from '../../text/format.ts';
import {decodedUri} from '../content/block-facts.ts';
import {initialSession} from '../initial.ts';
import type {SessionState, SubagentState} from '../state.ts';
import {closeCalls, noSubagents} from '../subagents/tree.ts';
import {freeId, isAskedWhileLoading} from '../transcript/call-ids.ts';
import {wireIdOf, type EntryList} from '../transcript/entry-list.ts';
import {visibleText} from '../transcript/content.ts';
import {cancelToolCalls} from '../transcript/tool-calls.ts';
import {
  appendEntry,
  changeEntries,
  completeMessages,
  findEntry,
  replaceEntry,
  type NewEntry,
} from '../transcript/transcript.ts';
import {hasRun} from '../transcript/tool-status.ts';
import {IdMap} from '../terminals/id-map.ts';
import {holdsText} from '../../text/diff/occurrences.ts';

/*
 * What is stored is the transcript: of an agent's replay ("Loading Sessions") only what follows the last prompt that both have is taken. If they differ before
 * that, the whole replay is shown below a line that says so. Entries are only appended.
 */

/** Starts a replay: the agent sends the conversation from its beginning ("Loading Sessions"). */
export function replayStarted(before: SessionState, at: number): SessionState {
  const state = closeCalls(before);
  const {cwd, additionalDirectories, sessionId} = state;
  return {...state, replay: {...initialSession({cwd, additionalDirectories, at}), sessionId}};
}

/** The replay is complete: adds what is not stored. */
export function replayMerged(state: SessionState, at: number): SessionState {
  if (state.replay === undefined) return state;
  const replayed = completeMessages(cancelToolCalls(state.replay, 0, at));
  return {
    ...withNewer({...state, streaming: []}, withoutAsked(replayed.entries, state), at),
    replay: undefined,
    title: replayed.title ?? state.title,
    commands: replayed.commands.length > 0 ? replayed.commands : state.commands,
    modes: replayed.modes ?? state.modes,
    configOptions: replayed.configOptions ?? state.configOptions,
    usage: replayed.usage ?? state.usage,
    live: replayed.live ?? state.live,
    terminals: IdMap.from([...replayed.terminals, ...state.terminals]),
    subagents: mergeSubagents(state.subagents, replayed.subagents),
  };
}

/** Leaves out replayed calls without an end that the agent has asked about meanwhile. */
function withoutAsked(replayed: EntryList, state: SessionState): readonly Entry[] {
  return replayed.filter(
    (entry) => !isCall(entry) || hasRun(entry.status) || !isAskedWhileLoading(state, wireIdOfCall(entry)),
  );
}

type Subagents = SessionState['subagents'];

/** The stored transcript of a subagent is its transcript, too. */
function mergeSubagents(ours: Subagents, theirs: Subagents): Subagents {
  const isStored = (stored: SubagentState | undefined) =>
    stored !== undefined && stored.session.entries.length > 0;
  const added = Object.entries(theirs).filter(([id]) => !isStored(ours[id]));
  return added.length === 0 ? ours : Object.assign(noSubagents(), ours, Object.fromEntries(added));
}

const DIFFERENT =
  'The agent remembers this session differently. What it has as context follows, from its beginning:';

function withNewer(state: SessionState, theirs: readonly Entry[], at: number): SessionState {
  if (!theirs.some(isConversation)) return state;
  const isEmpty = !state.entries.slice(state.sessionStart).some(isConversation);
  if (isEmpty) return appended(state, theirs, at);
  const known = ended(state, theirs);
  const {last, answer, next, differs} = compared(known, theirs);
  if (differs) {
    return appended(appendEntry(known, warning(DIFFERENT), at), theirs, at);
  }
  const added = [...missing(known, last, theirs.slice(answer, next)), ...theirs.slice(next)];
  return appended(marked(known, last, at), added, at);
}

function warning(text: string): NewEntry {
  return {type: 'notice', level: 'warning', text, source: 'client'};
}

/** Entries that an agent knows of; all others are asides of the client. */
const CONVERSATION: ReadonlySet<EntryType> = new Set(['user_message', 'agent_message', 'tool_call']);

function isConversation({type}: Entry): boolean {
  return CONVERSATION.has(type);
}

/** False for what the agent no longer has on purpose: a turn that it refused, or that a copy of the session left out. */
function isInConversation({excluded}: Entry): boolean {
  return !excluded;
}

function appended(state: SessionState, added: readonly Entry[], at: number): SessionState {
  return added.reduce(
    (longer, {id: _id, ...entry}) =>
      appendEntry(longer, withFreeId(longer, entry as NewEntry), entry.at ?? at),
    state,
  );
}

/** The agent's calls that are not stored may have IDs of stored ones. */
function withFreeId(state: SessionState, entry: NewEntry): NewEntry {
  return entry.type === 'tool_call'
    ? {...entry, toolCallId: freeId(state, wireIdOf(entry.toolCallId))}
    : entry;
}

interface Comparison {
  /** Index of the last prompt that both have in the stored entries; -1 if there is none. */
  readonly last: number;
  /** Indices in the replay: after that prompt, and of the first one that is not stored. */
  readonly answer: number;
  readonly next: number;
  /** True if the agent has other prompts before one that both have, or only others. */
  readonly differs: boolean;
}

/** Compares the prompts in order. The agent may have forgotten some, after a compaction for example. */
function compared(state: SessionState, theirs: readonly Entry[]): Comparison {
  const ours = state.entries
    .slice(state.sessionStart)
    .flatMap((entry, index) => (isPrompt(entry) ? [{entry, place: state.sessionStart + index}] : []));
  let from = 0;
  let answer: number | undefined;
  let next = theirs.length;
  for (const [index, prompt] of theirs.entries()) {
    if (!isPrompt(prompt)) continue;
    const find = (isAsked: (entry: Entry) => boolean) =>
      ours.findIndex(({entry}, place) => place >= from && isAsked(entry) && isSamePrompt(entry, prompt));
    const known = find(isInConversation);
    const found = known === -1 ? find(isPrompt) : known;
    if (found === -1 && from > 0 && isAttachmentOf(ours[from - 1]!.entry, prompt)) answer = index + 1;
    else if (found === -1) {
      next = index;
      break;
    } else {
      from = found + 1;
      answer = index + 1;
    }
  }
  const rest = new Set(ours.slice(from).map(({entry}) => textOf(entry)));
  const others = theirs.slice(next).filter(isPrompt);
  const differs = others.some((entry) => from === 0 || rest.has(textOf(entry)));
  return {last: ours[from - 1]?.place ?? -1, answer: Math.min(answer ?? next, next), next, differs};
}

function isPrompt(entry: Entry): entry is UserMessageEntry {
  return entry.type === 'user_message';
}

/** Shorter texts occur in too many others by chance. */
const MIN_PART_LENGTH = 4;

/** True if the agent replays this prompt: it may have added context for the model, and inlined or named the attached files. */
function isSamePrompt(ours: UserMessageEntry, theirs: UserMessageEntry): boolean {
  const [mine, text] = [textOf(ours), textOf(theirs)];
  if (mine === text) return true;
  if (ours.content.every(({type}) => type === 'text'))
    return mine.length >= MIN_PART_LENGTH && (text.startsWith(mine) || text.endsWith(mine));
  const words = ours.content.flatMap((block) => (block.type === 'text' ? [withoutSpaces(block.text)] : []));
  if (!words.every((each) => holdsText(text, each))) return false;
  return words.some((each) => each !== '') || isAttachmentOf(ours, theirs);
}

/** True for what agents send in place of an attached file, as a message of its own: its text, or a name for it. */
function isAttachmentOf({content}: UserMessageEntry, theirs: UserMessageEntry): boolean {
  const text = textOf(theirs);
  return content
    .flatMap(namesOf)
    .map(withoutSpaces)
    .some((name) => name.length >= MIN_PART_LENGTH && (holdsText(text, name) || holdsText(name, text)));
}

function namesOf(block: acp.ContentBlock): readonly string[] {
  if (block.type === 'text') return [];
  if (block.type === 'resource_link') return [block.uri, pathOf(block.uri), block.name];
  if (block.type !== 'resource') return [`[${block.type}]`];
  const {uri} = block.resource;
  return [uri, pathOf(uri), 'text' in block.resource ? block.resource.text : ''];
}

/** Returns the path of a `file:` URL, as agents write it. */
function pathOf(uri: string): string {
  return URL.canParse(uri) ? decodedUri(new URL(uri).pathname) : uri;
}

/** Returns the visible text of a message without spaces, since agents change those. */
function textOf({content}: Pick<UserMessageEntry, 'content'>): string {
  return withoutSpaces(visibleText(content));
}

/** Marks what follows the last prompt that both have: the agent never received it. A line says so, since the terminal may already show it without the mark. */
function marked(state: SessionState, last: number, at: number): SessionState {
  const {entries, sessionStart} = state;
  const isNext = (entry: Entry, index: number) => index > last && isPrompt(entry) && !entry.excluded;
  const first = entries.slice(sessionStart).findIndex((entry, index) => isNext(entry, sessionStart + index));
  const unknown =
    first === -1 ? new Set<Entry>() : new Set(entries.slice(sessionStart + first).filter(isInConversation));
  const changed = changeEntries(state, sessionStart, (entry) => {
    const onlyHere = unknown.has(entry) && isConversation(entry);
    return onlyHere === (entry.onlyHere ?? false) ? entry : {...entry, onlyHere};
  });
  const prompts = [...unknown].filter(isPrompt);
  if (prompts.every(({onlyHere}) => onlyHere)) return changed;
  const text = `The agent does not have your last ${prompts.length === 1 ? 'prompt' : `${prompts.length} prompts`} in its context.`;
  return appendEntry(changed, warning(text), at);
}

/**
 * Returns what the agent has of the turn after the last common prompt, if that did not end here: the agent may have gone on after the connection was lost.
 */
function missing(state: SessionState, last: number, theirs: readonly Entry[]): readonly Entry[] {
  const ours = state.entries.slice(last + 1).filter(isInConversation);
  if (ours.some((entry) => isPrompt(entry) || hasEnded(entry))) return [];
  const said = ours.flatMap((entry) => (entry.type === 'agent_message' ? [textOf(entry)] : []));
  return theirs.flatMap((entry): Entry[] => {
    if (entry.type === 'tool_call') return isStored(state, last, entry) ? [] : [entry];
    return entry.type === 'agent_message' ? unsaid(entry, said) : [];
  });
}

/** True for a call that is stored; one of an earlier turn with the same ID may be another. */
function isStored(state: SessionState, last: number, call: ToolCallEntry): boolean {
  const index = findEntry(state, 'tool_call', call.toolCallId);
  const stored = state.entries.get(index);
  return stored?.type === 'tool_call' && (index > last || stored.title === call.title);
}

/** Returns the part of a message that is not stored; agents may split and join messages. */
function unsaid(message: AgentMessageEntry, said: readonly string[]): AgentMessageEntry[] {
  const text = textOf(message);
  const all = said.join('');
  if (said.includes(text) || (text.length >= MIN_PART_LENGTH && holdsText(all, text))) return [];
  const known = [all, said.at(-1) ?? ''].find((words) => text.startsWith(words)) ?? '';
  return known === '' ? [message] : restOf(message, known.length);
}

function hasEnded(entry: Entry): boolean {
  return (
    entry.type === 'turn_end' &&
    entry.summary.outcome.kind === 'stopped' &&
    entry.summary.outcome.stopReason !== 'cancelled'
  );
}

/** Returns a message without so many of its characters, not counting spaces; nothing if none are left. */
function restOf(message: AgentMessageEntry, skipped: number): AgentMessageEntry[] {
  const text = visibleText(message.content);
  let start = 0;
  for (let left = skipped; left > 0; start++) if (/\S/.test(text.charAt(start))) left--;
  const rest = text.slice(start);
  return rest.trim() === '' ? [] : [{...message, content: [{type: 'text', text: rest}]}];
}

/** Applies the end of what had not ended here: the stored entry has times and decisions, the agent knows how it ended. */
function ended(state: SessionState, theirs: readonly Entry[]): SessionState {
  const counts = Map.groupBy([...state.entries, ...theirs].filter(isCall), wireIdOfCall);
  return theirs.reduce((known, entry) => {
    if (entry.type !== 'tool_call' && entry.type !== 'subagent') return known;
    const id = entry.type === 'tool_call' ? entry.toolCallId : entry.sessionId;
    const index = findEntry(known, entry.type, id);
    if (index >= state.askableFrom) return known;
    const mine = known.entries.get(index);
    // Calls of an ID that is used again are counted, but the agent may have forgotten some of them.
    const isReused = isCall(entry) && counts.get(wireIdOfCall(entry))!.length > 2;
    if (isReused && mine && isCall(mine) && mine.title !== entry.title) return known;
    const now = mine && joined(mine, entry);
    return now === mine || now === undefined ? known : replaceEntry(known, index, now);
  }, state);
}

function isCall(entry: Entry): entry is ToolCallEntry {
  return entry.type === 'tool_call';
}

function wireIdOfCall({toolCallId}: ToolCallEntry): acp.ToolCallId {
  return wireIdOf(toolCallId);
}

function joined(mine: Entry, theirs: ToolCallEntry | SubagentEntry): Entry {
  if (mine.type === 'tool_call' && theirs.type === 'tool_call') return joinedCall(mine, theirs);
  return mine.type === 'subagent' && theirs.type === 'subagent' ? joinedSubagent(mine, theirs) : mine;
}

function joinedCall(mine: ToolCallEntry, theirs: ToolCallEntry): ToolCallEntry {
  if (hasRun(mine.status) || !hasRun(theirs.status)) return mine;
  const content = mine.content.length > 0 ? mine.content : theirs.content;
  return {...mine, status: theirs.status, content, endedAt: mine.endedAt ?? theirs.endedAt};
}

/** Working times are only known from the stored entry. */
function joinedSubagent(mine: SubagentEntry, theirs: SubagentEntry): SubagentEntry {
  const {title = mine.title, description = mine.description, canCancel} = theirs;
  // A state replaces the previous one completely; agents may replay an end without its reason.
  const isSame = theirs.state === mine.state && theirs.stopReason === undefined;
  const {state, stopReason, problem} = theirs.state === undefined || isSame ? mine : theirs;
  return {...mine, title, description, state, canCancel, stopReason, problem};
}

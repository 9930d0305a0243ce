import type * as acp from '@agentclientprotocol/sdk/unstable';
import {initialSession} from '../initial.ts';
import {List} from '../transcript/persistent-list.ts';
import type {SessionState, SubagentState} from '../state.ts';
import {cancelToolCalls, isFinished} from '../transcript/tool-calls.ts';
import {completeMessages, protocolId} from '../transcript/transcript.ts';
import {noSubagents} from '../subagents/tree.ts';
import {visibleText} from '../transcript/content.ts';
import type {Entry, EntryType, MessageEntry, SubagentEntry, ToolCallEntry, TurnEndEntry} from '../entries.ts';
import {INTERRUPTION} from '../labels/labels.ts';

/** Starts a replay: the agent sends the conversation from its beginning ("Loading Sessions"). */
export function replayStarted(state: SessionState, at: number): SessionState {
  const {cwd, additionalDirectories} = state;
  const {sessionId} = state;
  return {...state, replay: {...initialSession({cwd, additionalDirectories, at}), sessionId}};
}

/** The replay is complete: merges it with the stored transcript. */
export function replayMerged(state: SessionState, at: number): SessionState {
  if (state.replay === undefined) return state;
  const replayed = completeMessages(cancelToolCalls(state.replay, 0, at));
  const before = state.entries.slice(0, state.sessionStart);
  const ours = state.entries.slice(state.sessionStart);
  const merged = mergeReplay(ours, replayed.entries.slice(), state.entries.length);
  const isNew = merged !== ours;
  return {
    ...state,
    replay: undefined,
    entries: isNew ? List.from([...before, ...merged]) : state.entries,
    rearranged: isNew ? state.rearranged + 1 : state.rearranged,
    streaming: [],
    title: replayed.title ?? state.title,
    commands: replayed.commands.length > 0 ? replayed.commands : state.commands,
    modes: replayed.modes ?? state.modes,
    configOptions: replayed.configOptions ?? state.configOptions,
    usage: replayed.usage ?? state.usage,
    terminals: {...replayed.terminals, ...state.terminals},
    subagents: mergeSubagents(state.subagents, replayed.subagents),
  };
}

type Subagents = SessionState['subagents'];

/** Merges the stored transcripts of subagents with the agent's replay ("Loading Sessions"). */
function mergeSubagents(ours: Subagents, theirs: Subagents): Subagents {
  const merged = Object.entries(theirs).map(
    ([id, theirs]) => [id, mergedSubagent(ours[id], theirs)] as const,
  );
  return merged.length === 0 ? ours : Object.assign(noSubagents(), ours, Object.fromEntries(merged));
}

function mergedSubagent(mine: SubagentState | undefined, theirs: SubagentState): SubagentState {
  if (mine === undefined) return theirs;
  const {entries, rearranged} = mine.session;
  const before = entries.slice();
  const after = mergeReplay(before, theirs.session.entries.slice(), entries.length);
  if (after === before) return mine;
  const session = {...mine.session, entries: List.from(after), rearranged: rearranged + 1, streaming: []};
  return {...mine, session};
}

/** Entries that an agent knows of; all others are asides of the client. */
const CONVERSATION: ReadonlySet<EntryType> = new Set(['user_message', 'agent_message', 'tool_call']);

/** Entries marked `onlyHere` if the agent does not replay them. Agents need not replay thoughts and turn ends. */
const MARKED: ReadonlySet<EntryType> = new Set([
  ...CONVERSATION,
  'session_message',
  'notice',
  'shell_command',
]);

/** Shorter texts occur in too many others by chance. */
const MIN_PART_LENGTH = 4;

/**
 * Merges the stored transcript with the agent's replay ("Loading Sessions"): matching entries appear once, at the stored position; entries only acp-tui has
 * stay in place, marked; entries only the agent has are inserted where they belong. Stored ids are kept, new ones continue from `nextId`.
 */
function mergeReplay(ours: readonly Entry[], theirs: readonly Entry[], nextId: number): readonly Entry[] {
  if (!theirs.some(isConversation)) return ours;
  const matches = matchAll(ours, theirs);
  const known = new Map<number, Entry>();
  const added = new Map<number, Entry[]>();
  let anchor = -1;
  let id = nextId;
  for (const [index, entry] of theirs.entries()) {
    const found = matches[index] ?? [];
    for (const place of found)
      known.set(place, joined(known.get(place) ?? ours[place]!, entry, found.length));
    anchor = Math.max(anchor, ...found);
    if (found.length > 0) continue;
    const at = behindAsides(ours, anchor);
    added.set(at, [...(added.get(at) ?? []), {...entry, id: String(id++)}]);
  }
  return [
    ...(added.get(-1) ?? []),
    ...ours.flatMap((entry, place) => [known.get(place) ?? marked(entry), ...(added.get(place) ?? [])]),
  ];
}

function isConversation({type}: Entry): boolean {
  return CONVERSATION.has(type);
}

/** Asides stay with the entry that they follow. */
function behindAsides(ours: readonly Entry[], anchor: number): number {
  let at = anchor;
  for (let next = ours[at + 1]; next && !isConversation(next) && at >= 0; next = ours[at + 1]) at++;
  return at;
}

function marked(entry: Entry): Entry {
  return MARKED.has(entry.type) && !entry.onlyHere ? {...entry, onlyHere: true} : entry;
}

/** Returns for each of the agent's entries the indices of the matching stored ones, usually one. */
function matchAll(ours: readonly Entry[], theirs: readonly Entry[]): readonly (readonly number[])[] {
  const byId = new Map<string, number>();
  const byKey = new Map<string, number[]>();
  for (const [place, entry] of ours.entries()) {
    const id = idOf(entry);
    if (id !== undefined) byId.set(id, place);
    const key = matchKey(entry);
    if (key === undefined) continue;
    const places = byKey.get(key) ?? [];
    places.push(place);
    byKey.set(key, places);
  }
  const taken = new Set<number>();
  let last = -1;
  /** True after a prompt that is not stored: what follows answers it, and continues no stored entry. */
  let isElsewhere = false;

  function exactly(entry: Entry): number | undefined {
    const named = byId.get(idOf(entry) ?? '');
    if (named !== undefined) return named;
    const free = byKey.get(matchKey(entry) ?? '')?.filter((place) => !taken.has(place)) ?? [];
    return free.find((place) => place > last) ?? free[0];
  }

  return theirs.map((entry) => {
    const place = exactly(entry);
    const found = place === undefined ? partsOf(entry, {ours, from: last, taken, isElsewhere}) : [place];
    for (const each of found) taken.add(each);
    if (found.length > 0 || entry.type === 'user_message') isElsewhere = found.length === 0;
    last = Math.max(last, ...found);
    return found;
  });
}

interface Search {
  readonly ours: readonly Entry[];
  /** Index of the newest match. */
  readonly from: number;
  readonly taken: ReadonlySet<number>;
  readonly isElsewhere: boolean;
}

/** Agents may replay messages split differently, or with context they added for the model. */
function partsOf(entry: Entry, {ours, from, taken, isElsewhere}: Search): readonly number[] {
  if (!isMessage(entry)) return [];
  let rest = textOf(entry);
  const newest = isElsewhere ? undefined : ours[from];
  // The remainder of an entry that is stored as a whole.
  if (newest?.type === entry.type && rest.length >= MIN_PART_LENGTH && isRestOf(newest, rest)) return [from];
  const found: number[] = [];
  for (let place = from + 1; place < ours.length; place++) {
    const other = ours[place]!;
    if (other.type !== entry.type || !isMessage(other) || taken.has(place)) continue;
    if (isWithAttachments(other, rest)) return [...found, place];
    const text = textOf(other);
    const isPart = text.length >= MIN_PART_LENGTH && rest.includes(text);
    const isWhole = rest.length >= MIN_PART_LENGTH && text.startsWith(rest);
    if (!isPart && !isWhole) break;
    found.push(place);
    if (isWhole) break;
    rest = rest.slice(rest.indexOf(text) + text.length);
  }
  return found;
}

/** True for what agents send in place of a file: its text or a name for it, as a separate message or after the prompt. */
function isRestOf(ours: Entry, rest: string): boolean {
  return textOf(ours).includes(rest) || attachmentsOf(ours).some((names) => matchesName(names, rest));
}

/** True if `text` is a prompt with its files inlined: it contains the prompt's text and part of each file. */
function isWithAttachments(ours: Entry, text: string): boolean {
  const attached = attachmentsOf(ours);
  if (ours.type !== 'user_message' || attached.length === 0) return false;
  const words = visibleText(ours.content).replaceAll(/\s+/g, '');
  if (
    !ours.content.every((block) => block.type !== 'text' || text.includes(block.text.replaceAll(/\s+/g, '')))
  )
    return false;
  // Its files may be in the messages that follow.
  return (
    (words.length >= MIN_PART_LENGTH && text.startsWith(words)) ||
    attached.every((names) => matchesName(names, text))
  );
}

function matchesName(names: readonly string[], text: string): boolean {
  return names.some((name) => name.length >= MIN_PART_LENGTH && (text.includes(name) || name.includes(text)));
}

/** Returns for each attachment of a prompt what an agent may replay for it, without spaces. */
function attachmentsOf(entry: Entry): readonly (readonly string[])[] {
  if (entry.type !== 'user_message') return [];
  return entry.content
    .filter(({type}) => type !== 'text')
    .map((block) => namesOf(block).map((name) => name.replaceAll(/\s+/g, '')));
}

function namesOf(block: acp.ContentBlock): readonly string[] {
  switch (block.type) {
    case 'resource_link':
      return [block.uri, pathOf(block.uri), block.name];
    case 'resource': {
      const {uri} = block.resource;
      return [uri, pathOf(uri), 'text' in block.resource ? block.resource.text : ''];
    }
    default:
      return [`[${block.type}]`];
  }
}

/** Returns the path of a `file:` URL, as agents write it. */
function pathOf(uri: string): string {
  return URL.canParse(uri) ? decodeURI(new URL(uri).pathname) : uri;
}

/** Merges matching entries: the stored one has times and decisions, the agent's one is authoritative otherwise. */
function joined(mine: Entry, theirs: Entry, parts: number): Entry {
  const entry = mine.onlyHere ? {...mine, onlyHere: false} : mine;
  if (entry.type === 'tool_call' && theirs.type === 'tool_call') return joinedCall(entry, theirs);
  if (entry.type === 'subagent' && theirs.type === 'subagent') return joinedSubagent(entry, theirs);
  if (!isMessage(entry) || !isMessage(theirs)) return entry;
  const messageId = theirs.messageId ?? entry.messageId;
  const isSame = parts > 1 || messageId !== entry.messageId || textOf(entry).includes(textOf(theirs));
  if (isSame) return messageId === entry.messageId || parts > 1 ? entry : {...entry, messageId};
  return entry.type === 'user_message' ? entry : {...entry, content: theirs.content};
}

function joinedCall(mine: ToolCallEntry, theirs: ToolCallEntry): ToolCallEntry {
  const status = isFinished(theirs.status) && theirs.status !== 'cancelled' ? theirs.status : mine.status;
  const content = mine.content.length > 0 ? mine.content : theirs.content;
  if (status === mine.status && content === mine.content) return mine;
  return {...mine, status, content, endedAt: mine.endedAt ?? theirs.endedAt};
}

/** Working times are only known from the stored entry. */
function joinedSubagent(mine: SubagentEntry, theirs: SubagentEntry): SubagentEntry {
  const {title = mine.title, description = mine.description, canCancel} = theirs;
  // A state replaces the previous one completely; agents may replay an end without its reason.
  const isSame = theirs.state === mine.state && theirs.stopReason === undefined;
  const {state, stopReason, problem} = theirs.state === undefined || isSame ? mine : theirs;
  return {...mine, title, description, state, canCancel, stopReason, problem};
}

/** Returns the protocol's id of an entry, with its type; undefined if it has none. */
function idOf(entry: Entry): string | undefined {
  const id = protocolId(entry);
  return id === undefined ? undefined : `${entry.type}#${id}`;
}

/** Returns the key by which entries without ids are matched; undefined for entries that agents do not replay. */
function matchKey(entry: Entry): string | undefined {
  switch (entry.type) {
    case 'user_message':
    case 'agent_message':
    case 'agent_thought':
      return `${entry.type}\n${textOf(entry)}`;
    case 'plan':
      return `plan\n${JSON.stringify(entry.content)}`;
    case 'turn_end':
      return isCancelled(entry) ? `notice\n${INTERRUPTION}` : undefined;
    case 'notice':
      return `notice\n${entry.text}`;
    case 'unknown':
      return `unknown\n${entry.kind}`;
    default:
      return undefined;
  }
}

function isCancelled({summary: {outcome}}: TurnEndEntry): boolean {
  return outcome.kind === 'stopped' && outcome.stopReason === 'cancelled';
}

function isMessage(entry: Entry): entry is MessageEntry {
  return entry.type === 'user_message' || entry.type === 'agent_message' || entry.type === 'agent_thought';
}

/** Returns the text of a message without spaces, since agents change those. */
function textOf(entry: Entry): string {
  if (!isMessage(entry)) return '';
  const others = entry.content.filter(({type}) => type !== 'text').map(({type}) => `[${type}]`);
  return (visibleText(entry.content) + others.join('')).replaceAll(/\s+/g, '');
}

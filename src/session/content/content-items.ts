import type * as acp from '@agentclientprotocol/sdk/unstable';
import {escapeHiddenLine} from '../../text/hidden.ts';
import type {Entry, ToolCallEntry} from '../entries.ts';
import {unsanitizedToolCall} from '../sanitize-events.ts';
import type {SessionState} from '../state.ts';
import {isHidden} from '../transcript/content.ts';
import {changesIn} from '../transcript/diffs.ts';
import {planPathOf} from '../transcript/patches.ts';
import {decodedSize, decodedUri, fileOfUri, textSize} from './block-facts.ts';
import {findUrls} from './find-urls.ts';

export type ContentKind = 'image' | 'audio' | 'text' | 'blob' | 'link' | 'location';

/** Content in a conversation besides its prose, for the content list; `contentData` has its data. */
export interface ContentItem {
  /** Unique within a session, and stable as long as the entry that contains it is unchanged. */
  readonly id: string;
  readonly kind: ContentKind;
  /** The name of a file, URL or path, in one line, with invisible characters escaped. */
  readonly name: string;
  readonly mimeType: string | undefined;
  /** Decoded; undefined if the content was not sent. */
  readonly bytes: number | undefined;
  /** The URL of a link or the path of a location, unchanged. */
  readonly target?: string;
  /** Counted from 1. */
  readonly line?: number;
  /** The tool call that contains it. */
  readonly toolCallId?: acp.ToolCallId;
  /** The subagent that sent it. */
  readonly subagent?: acp.SessionId;
  /** The label of its row in the conversation: the name of a link, the title of a tool call. */
  readonly from?: string;
  /** True for what the user attached to a prompt. */
  readonly isOwn: boolean;
}

/** The data of an item; none for links and locations. */
export type ContentData =
  {readonly kind: 'text'; readonly text: string} | {readonly kind: 'base64'; readonly data: string};

type Found = Pick<ContentItem, 'kind' | 'name'> &
  Partial<Pick<ContentItem, 'mimeType' | 'bytes' | 'target' | 'line' | 'from'>> & {
    readonly data?: ContentData;
  };

/** Returns all content of a session and its subagents, newest first. Links and locations are listed once, at their last occurrence. */
export function contentItems(session: SessionState): readonly ContentItem[] {
  const known = new Set<string>();
  const items: ContentItem[] = [];
  for (const {item} of newestFirst(session)) {
    const {kind, target, line} = item;
    const same = `${kind} ${line ?? ''} ${target ?? item.id}`;
    if (known.has(same)) continue;
    known.add(same);
    items.push(item);
  }
  return items;
}

/** Returns the content of an item of `contentItems`; undefined if it is gone or empty. */
export function contentData(session: SessionState, {id}: ContentItem): ContentData | undefined {
  const found = allEntries(session).filter(({of, entry}) => id.startsWith(`${of}/${entry.id}/`));
  return found.flatMap(itemsOf).find(({item}) => item.id === id)?.data;
}

interface Item {
  readonly item: ContentItem;
  readonly data: ContentData | undefined;
}

function* newestFirst(session: SessionState): Generator<Item> {
  const entries = allEntries(session).toReversed();
  for (const each of entries.sort((one, other) => other.entry.at - one.entry.at))
    yield* itemsOf(each).toReversed();
}

/** An entry and its subagent; '' for the session itself. */
interface Owned {
  readonly of: string;
  readonly entry: Entry;
}

/** Returns the entries of a session, and of the subagents in them, at any depth. */
function allEntries(session: SessionState): readonly Owned[] {
  const all: Owned[] = session.entries.map((entry) => ({of: '', entry}));
  for (const {id: planId, content, finishedEntry} of session.plans)
    if (finishedEntry === undefined)
      all.push({
        of: '',
        entry: {type: 'plan', id: `plan ${planId}`, turn: undefined, at: Infinity, planId, content},
      });
  const known = new Set<string>();
  // The list grows during the iteration.
  for (const {entry} of all) {
    if (entry.type !== 'subagent' || known.has(entry.sessionId)) continue;
    const {sessionId: of} = entry;
    known.add(of);
    for (const own of session.subagents[of]?.session.entries ?? []) all.push({of, entry: own});
  }
  return all;
}

function itemsOf({entry, of}: Owned): readonly Item[] {
  const call = entry.type === 'tool_call' ? entry : undefined;
  return foundIn(entry).map(({data, kind, name, mimeType, bytes, ...place}, index) => ({
    item: {
      id: `${of}/${entry.id}/${index}`,
      kind,
      name: escapeHiddenLine(name),
      mimeType,
      bytes,
      ...(of !== '' && {subagent: of}),
      ...(call && {toolCallId: call.toolCallId, from: call.title}),
      ...place,
      isOwn: of === '' && entry.type === 'user_message',
    },
    data,
  }));
}

function foundIn(entry: Entry): readonly Found[] {
  switch (entry.type) {
    case 'user_message':
      return entry.content.filter((block) => block.type !== 'text').flatMap(ofBlock);
    case 'agent_message':
    case 'session_message':
      return entry.content.flatMap(ofBlock);
    case 'tool_call':
      return ofToolCall(entry);
    case 'plan':
      return ofPlan(entry.content);
    default:
      return [];
  }
}

/** Tool calls in the state are exact readings: restored here, so that the original content is opened. */
function ofToolCall(call: ToolCallEntry): readonly Found[] {
  const {content, kind, locations} = unsanitizedToolCall(call);
  return [
    ...locations.map(({path, line}) => location(path, line ?? undefined)),
    ...changesIn({content, kind}).map(({path}) => location(path, undefined)),
    ...content.flatMap((part) => (part.type === 'content' ? ofBlock(part.content) : [])),
  ];
}

/** A plan in Markdown is opened as its file, or without one as a text. */
function ofPlan(plan: acp.PlanUpdateContent): readonly Found[] {
  if (plan.type === 'file') return [ofAddress(plan.uri, {})];
  if (plan.type !== 'markdown') return [];
  const {content: text} = plan;
  const path = planPathOf(plan);
  if (path !== undefined) return [{...location(path, undefined), from: 'Plan'}];
  return [
    {
      kind: 'text',
      name: 'plan.md',
      mimeType: 'text/markdown',
      bytes: textSize(text),
      data: {kind: 'text', text},
    },
  ];
}

function ofBlock(block: acp.ContentBlock): readonly Found[] {
  if (isHidden(block)) return [];
  switch (block.type) {
    case 'text':
      return findUrls(block.text).map(link);
    case 'image':
    case 'audio':
      return [ofMedia(block)];
    case 'resource_link':
      return [ofLink(block)];
    case 'resource':
      return [ofResource(block.resource)];
  }
}

function ofMedia(block: Extract<acp.ContentBlock, {type: 'image' | 'audio'}>): Found {
  const {type, data, mimeType} = block;
  const uri = block.type === 'image' ? (block.uri ?? undefined) : undefined;
  if (data === '' && uri !== undefined) return ofAddress(uri, {mimeType});
  const name = (uri !== undefined && lastName(uri)) || type;
  return {kind: type, name, mimeType, bytes: decodedSize(data), data: {kind: 'base64', data}};
}

function ofLink({uri, title, name, mimeType, size}: acp.ResourceLink): Found {
  const link = ofAddress(uri, {
    mimeType: mimeType ?? undefined,
    bytes: typeof size === 'number' && size >= 0 ? size : undefined,
  });
  const from = escapeHiddenLine(title || name);
  return from === '' || lastName(uri) === from ? link : {...link, from};
}

function ofAddress(uri: string, facts: Pick<Found, 'mimeType' | 'bytes'>): Found {
  const file = fileOfUri(uri);
  return {...(file ? location(file.path, file.first) : link(uri)), ...facts};
}

function ofResource(resource: acp.EmbeddedResource['resource']): Found {
  const {uri} = resource;
  const mimeType = resource.mimeType ?? undefined;
  const name = lastName(uri);
  if ('text' in resource) {
    const {text} = resource;
    const data = {kind: 'text', text} as const;
    return {kind: 'text', name: name || 'text', mimeType, bytes: textSize(text), data};
  }
  const {blob} = resource;
  const data = {kind: 'base64', data: blob} as const;
  return {kind: 'blob', name: name || 'attachment', mimeType, bytes: decodedSize(blob), data};
}

function link(address: string): Found {
  return {kind: 'link', name: URL.parse(address)?.href ?? address, target: address};
}

function location(path: string, line: number | undefined): Found {
  return {kind: 'location', name: path, target: path, ...(line !== undefined && line > 0 && {line})};
}

/** The last segment of a URL's path. */
function lastName(uri: string): string {
  const [, path = ''] = /^(?:[a-z][\w+.-]*:)?([^?#]*)/i.exec(uri) ?? [];
  return decodedUri(path.split('/').findLast((part) => part !== '') ?? '');
}

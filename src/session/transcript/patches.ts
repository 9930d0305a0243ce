import type * as acp from '@agentclientprotocol/sdk/unstable';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {textPart} from './content.ts';

/*
 * What version 2 of the protocol can say about a message or a tool call and version 1 cannot: in the `_meta` of a version 1 update.
 */

const REPLACES = 'acp-tui/replaces';
const CLEARED = 'acp-tui/cleared';
const APPENDS = 'acp-tui/appends';
const STATUS = 'acp-tui/status';
const CANCEL = 'acp-tui/cancel';
const PATH = 'acp-tui/path';
const WORDS = 'acp-tui/words';

/** What only acp-tui says. */
const OWN: ReadonlySet<string> = new Set([REPLACES, CLEARED, APPENDS, STATUS, CANCEL, PATH, WORDS]);

type Meta = {readonly _meta?: unknown};

/** The parts of a message that may have such a `_meta`, and what contains them. */
const PARTS = ['params', 'update', 'subject', 'toolCall', 'plan', 'entries', 'content'];
const DEEPEST = 5;

/** Returns a message of an agent without any of this: only acp-tui says it. */
export function withoutMarks(message: JsonObject, depth = 0): JsonObject {
  const {_meta} = message;
  const parts = depth < DEEPEST ? PARTS.filter((part) => typeof message[part] === 'object') : [];
  if (parts.length === 0 && !isJsonObject(_meta)) return message;
  return {
    ...message,
    ...Object.fromEntries(parts.map((part) => [part, withoutMarksIn(message[part], depth + 1)])),
    ...(isJsonObject(_meta) && {_meta: withoutOwnKeys(_meta)}),
  };
}

function withoutMarksIn(value: unknown, depth: number): unknown {
  if (Array.isArray(value))
    return value.map((item) => (isJsonObject(item) ? withoutMarks(item, depth) : item));
  return isJsonObject(value) ? withoutMarks(value, depth) : value;
}

function withoutOwnKeys(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !OWN.has(key)));
}

function withMeta<Part extends object>(part: Part & Meta, key: string, value: unknown): Part {
  const {_meta} = part;
  return {...part, _meta: {...(typeof _meta === 'object' ? _meta : undefined), [key]: value}};
}

function withoutMeta<Part extends Meta>(part: Part, key: string): Part {
  if (!isJsonObject(part._meta)) return part;
  const {[key]: _, ...others} = part._meta;
  return {...part, _meta: others};
}

/** Returns a chunk with which its message begins anew: all that was in it before is gone. */
export function withReplacement<Chunk extends object>(chunk: Chunk): Chunk {
  return withMeta(chunk, REPLACES, true);
}

export function isReplacement({_meta}: acp.ContentChunk): boolean {
  return _meta?.[REPLACES] === true;
}

/** The fields of a tool call that can be cleared. */
const CLEARABLE = ['title', 'name', 'rawInput', 'rawOutput', 'content', 'locations'] as const;

type Clearable = (typeof CLEARABLE)[number];

/** Returns a patch that clears the fields that are null, and an empty content; in version 1, they stay, also in a call that has ended. */
export function withCleared<Patch extends object>(patch: Patch): Patch {
  const fields = patch as Partial<Record<Clearable, unknown>>;
  const cleared = CLEARABLE.filter((field) => fields[field] === null || isEmptyList(fields[field]));
  return cleared.length === 0 ? patch : withMeta(patch, CLEARED, cleared);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** True if a patch of a tool call clears this field. */
export function clears({_meta}: Meta, field: Clearable): boolean {
  const cleared = isJsonObject(_meta) ? _meta[CLEARED] : undefined;
  return Array.isArray(cleared) && cleared.includes(field);
}

/** Returns a patch whose content is added to that of its tool call. */
export function withAppended<Patch extends object>(patch: Patch): Patch {
  return withMeta(patch, APPENDS, true);
}

export function appends({_meta}: Meta): boolean {
  return isJsonObject(_meta) && _meta[APPENDS] === true;
}

/** Returns a patch with all of the content of its tool call. */
export function withWholeContent<Patch extends acp.ToolCallUpdate>(
  patch: Patch,
  content: readonly acp.ToolCallContent[],
): Patch {
  return {...withoutMeta(patch, APPENDS), content: [...content]};
}

/** The fields of a tool call that its permission request shows. */
interface ShownFields {
  readonly title?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly kind?: acp.ToolKind | null | undefined;
  readonly content?: readonly acp.ToolCallContent[] | null | undefined;
  readonly locations?: readonly acp.ToolCallLocation[] | null | undefined;
  readonly rawInput?: unknown;
}

/** Returns what a tool call shows after a patch: omitted and null fields keep their value, unless the patch clears them. */
export function mergeFields(patch: ShownFields & Meta, known: ShownFields | undefined): ShownFields {
  const kept = <Value>(field: Clearable, value: Value) => (clears(patch, field) ? undefined : value);
  return {
    title: patch.title || kept('title', known?.title),
    name: patch.name ?? kept('name', known?.name),
    kind: patch.kind ?? known?.kind,
    content: contentAfter(patch, known) ?? kept('content', known?.content),
    locations: patch.locations ?? kept('locations', known?.locations),
    rawInput: patch.rawInput ?? kept('rawInput', known?.rawInput),
  };
}

/** What a request says itself stays. */
function contentAfter(patch: ShownFields & Meta, known: ShownFields | undefined): ShownFields['content'] {
  if (!patch.content) return patch.content;
  const before = known?.content ?? [];
  const kept = appends(patch) ? before : before.filter(isOfRequest);
  return kept.length === 0 ? patch.content : [...kept, ...patch.content];
}

/** The statuses that are in no schema of version 1. */
type OtherStatus = 'paused' | 'cancelled';

/** Returns a tool call or a step of a plan with the status that was sent, next to the closest one of the schema. */
export function withSentStatus<Part extends object>(part: Part, status: OtherStatus): Part {
  return withMeta(part, STATUS, status);
}

/** Returns a tool call without the status that was sent. */
export function withoutSentStatus<Part extends Meta>(part: Part): Part {
  return withoutMeta(part, STATUS);
}

/** Returns the status of a step of a plan, which is never paused. */
export function stepStatus(step: acp.PlanEntry): acp.PlanEntryStatus | 'cancelled' {
  return sentStatus(step) === 'cancelled' ? 'cancelled' : step.status;
}

/** Returns the status of a tool call as it was sent. */
export function sentStatus<Status>({
  status,
  _meta,
}: {
  readonly status?: Status;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}): Status | OtherStatus | undefined {
  const sent = _meta?.[STATUS];
  return sent === 'paused' || sent === 'cancelled' ? sent : status;
}

/** Returns a patch of a tool call that says whether it can be cancelled alone. */
export function withCancel<Patch extends object>(patch: Patch, canCancel: boolean): Patch {
  return withMeta(patch, CANCEL, canCancel);
}

/** Returns whether a tool call can be cancelled alone; undefined if the patch does not say so. */
export function canCancelAfter({_meta}: Meta): boolean | undefined {
  const canCancel = isJsonObject(_meta) ? _meta[CANCEL] : undefined;
  return typeof canCancel === 'boolean' ? canCancel : undefined;
}

/** Returns a Markdown plan with the path of the file that it is in. */
export function withPlanPath<Plan extends object>(plan: Plan, path: string): Plan {
  return withMeta(plan, PATH, path);
}

/** Returns the path of the file that a Markdown plan is in, as the agent sent it. */
export function planPathOf({_meta}: Meta): string | undefined {
  const path = isJsonObject(_meta) ? _meta[PATH] : undefined;
  return typeof path === 'string' ? path : undefined;
}

/** Returns the title or the description of a permission request as a part of its tool call's content. */
export function wordsOfRequest(text: string, isTitle: boolean): acp.ToolCallContent {
  return withMeta(textPart(text), WORDS, isTitle ? 'title' : 'description');
}

export function isOfRequest({_meta}: Meta): boolean {
  return isJsonObject(_meta) && _meta[WORDS] !== undefined;
}

export function isTitleOfRequest({_meta}: Meta): boolean {
  return isJsonObject(_meta) && _meta[WORDS] === 'title';
}

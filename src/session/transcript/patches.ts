import type * as acp from '@agentclientprotocol/sdk/unstable';

/*
 * What version 2 of the protocol can say about a message or a tool call and version 1 cannot: in the `_meta` of a version 1 update.
 */

const REPLACES = 'acp-tui/replaces';
const CLEARED = 'acp-tui/cleared';
const STATUS = 'acp-tui/status';

type Meta = {readonly _meta?: unknown};

function withMeta<Part extends object>(part: Part & Meta, key: string, value: unknown): Part {
  const {_meta} = part;
  return {...part, _meta: {...(typeof _meta === 'object' ? _meta : undefined), [key]: value}};
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
export function clears({_meta}: acp.ToolCallUpdate, field: Clearable): boolean {
  const cleared = _meta?.[CLEARED];
  return Array.isArray(cleared) && cleared.includes(field);
}

/** The statuses that are in no schema of version 1. */
type OtherStatus = 'paused' | 'cancelled';

/** Returns a tool call or a step of a plan with the status that was sent, next to the closest one of the schema. */
export function withSentStatus<Part extends object>(part: Part, status: OtherStatus): Part {
  return withMeta(part, STATUS, status);
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

import * as z from 'zod/mini';
import type {SessionEvent, SessionEventOf} from '../../session/events.ts';
import type {StoredEventType} from '../../session/reduce.ts';
import {jsonOf} from '../../text/json.ts';
import type {ProcessIdentity} from '../../shared/processes/process-identity.ts';
import type {StoredAgent} from './stored-session.ts';

/** The first line of a session's file. */
export interface SessionHeader {
  readonly v: typeof FILE_VERSION;
  readonly id: string;
  readonly created: number;
  readonly agent: StoredAgent;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
}

export const FILE_VERSION = 1;

/** Lines that are not events, but changes to the stored session. */
export type SessionMark = {readonly at: number} &
  /** `person` is false if print mode opened it. */
  (
    | {readonly mark: 'opened'; readonly by: ProcessIdentity; readonly person?: false}
    | {readonly mark: 'closed'}
    | {readonly mark: 'branch'; readonly branch: string | undefined}
    /** A later run resumes it; `restoredSession` was called with this time. */
    | {readonly mark: 'continued'}
    | {readonly mark: 'archived'; readonly archived: boolean}
    /** Protocol messages are recorded in this file, see docs/internals/recordings.md. */
    | {readonly mark: 'recorded'; readonly file: string}
    /** This many lines could not be stored. */
    | {readonly mark: 'lost'; readonly lines: number}
  );

export function lineOf(content: SessionHeader | SessionMark | SessionEvent): string {
  return `${JSON.stringify(content)}\n`;
}

/** Undefined for a line that is partial, damaged, or of a newer version. */
export function parseLine(text: string): SessionHeader | SessionMark | SessionEvent | undefined {
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const shape = 'v' in value ? header : 'mark' in value ? mark : 'type' in value && shapeOfEvent(value.type);
  return shape && shape.safeParse(value).success
    ? (value as SessionHeader | SessionMark | SessionEvent)
    : undefined;
}

const text = z.string();
const number = z.number();
const list = z.array(z.unknown());
const object = z.looseObject({});
const typed = z.looseObject({type: text});
const flag = z.optional(z.boolean());

const header = z.looseObject({
  v: z.literal(FILE_VERSION),
  id: text,
  created: number,
  agent: object,
  cwd: text,
  additionalDirectories: list,
});

const MARKS = {
  opened: true,
  closed: true,
  branch: true,
  continued: true,
  archived: true,
  recorded: true,
  lost: true,
} satisfies {readonly [Name in SessionMark['mark']]: true};

const mark = z.looseObject({at: number, mark: z.enum(Object.keys(MARKS))});

/** Most fields of updates are optional; all IDs are texts. */
const update = z
  .looseObject({
    sessionUpdate: text,
    title: z.nullish(text),
    description: z.nullish(text),
    name: z.nullish(text),
    kind: z.nullish(text),
    status: z.nullish(text),
    text: z.nullish(text),
    json: z.nullish(text),
    locations: z.nullish(list),
    entries: z.nullish(list),
    availableCommands: z.nullish(list),
    configOptions: z.nullish(list),
    plan: z.nullish(typed),
    cost: z.nullish(object),
    used: z.nullish(number),
    size: z.nullish(number),
  })
  .check(z.refine(hasItsIds), z.refine(hasItsContent));

/** The text that an update of this kind always has. */
const REQUIRED_TEXTS: Readonly<Record<string, string>> = {
  notice: 'title',
  tool_call: 'toolCallId',
  tool_call_update: 'toolCallId',
  subagent_update: 'sessionId',
};

type AnyUpdate = Readonly<Record<string, unknown>> & {readonly sessionUpdate: string};

function hasItsIds(any: AnyUpdate): boolean {
  const required = REQUIRED_TEXTS[any.sessionUpdate];
  const ids = Object.keys(any).filter((field) => field.endsWith('Id'));
  return (
    ids.every((id) => any[id] === undefined || any[id] === null || typeof any[id] === 'string') &&
    (required === undefined || typeof any[required] === 'string')
  );
}

function hasItsContent({sessionUpdate, content}: AnyUpdate): boolean {
  const shape = sessionUpdate.endsWith('_chunk') ? typed : list;
  return content === undefined || content === null || shape.safeParse(content).success;
}

/** Every required field of an event; its optional ones are not examined. */
type Fields<Event> = {
  readonly [Field in keyof Event as Event extends Record<Field, Event[Field]> ? Field : never]: z.ZodMiniType;
};

/** What each stored event must have, without `type` and `at`. Agents' data was validated before it was stored; this detects damage. */
const FIELDS: {readonly [Type in StoredEventType]: Fields<Omit<SessionEventOf<Type>, 'type' | 'at'>>} = {
  connection_changed: {connection: object},
  agent_initialized: {response: object, fallbackName: text},
  sandbox_changed: {},
  auth_status_reported: {status: object},
  session_opened: {session: object, how: text},
  replay_started: {},
  replay_dropped: {},
  renamed: {title: text, agentKnows: flag},
  imported: {title: text, entries: list, terminals: list},
  folder_added: {path: text},
  folders_resolved: {real: z.record(text, text)},
  session_update: {update},
  subagent_updated: {sessionId: text, update},
  prompt_started: {turn: number, content: list},
  prompt_steered: {content: list},
  prompt_ended: {turn: number, outcome: object},
  snapshot_awaited: {isAwaited: flag},
  cancel_requested: {},
  permission_requested: {id: text, request: object},
  permission_rule_offered: {id: text},
  permission_outdated: {id: text, outdated: list},
  permission_resolved: {id: text, toolCallId: text, decision: object},
  elicitation_requested: {id: text, asked: z.looseObject({mode: text})},
  elicitation_resolved: {id: text, outcome: text, answers: list},
  elicitation_refused: {text},
  elicitation_completed: {id: text},
  terminal_created: {terminalId: text, command: text, cwd: text, pty: flag},
  terminal_output: {terminalId: text, data: text},
  terminal_drawn: {terminalId: text, isBehind: flag},
  terminal_waits: {terminalId: text},
  terminal_exited: {terminalId: text, exit: object},
  terminal_released: {terminalId: text},
  mode_set: {modeId: text},
  model_set: {modelId: text},
  config_options_set: {configOptions: list},
  mcp_server_state: {name: text, state: text},
  turn_changes: {turn: number, files: number, added: number, removed: number},
  unreviewed_changes: {files: number, listed: list},
  notice: {level: text, text},
};

let events: ReadonlyMap<unknown, z.ZodMiniType> | undefined;

/** Made when the first line is read: a window that resumes nothing does not wait for it. */
function shapeOfEvent(type: unknown): z.ZodMiniType | undefined {
  events ??= new Map(
    Object.entries(FIELDS).map(([type, fields]) => [type, z.looseObject({at: number, ...fields})]),
  );
  return events.get(type);
}

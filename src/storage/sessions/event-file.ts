import {createReadStream} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {setImmediate} from 'node:timers/promises';
import type {SessionEvent, SessionEventOf, SessionEventType} from '../../session/events.ts';
import {isStoredEventType, reduce} from '../../session/reduce.ts';
import type {Result} from '../../shared/failure.ts';
import {failed} from '../../shared/file-failure.ts';
import {jsonOf, isFields, type Fields} from '../../text/json.ts';
import {openRegularFile, statIfAny} from '../files.ts';
import type {ProcessIdentity} from '../process-identity.ts';
import type {StoredAgent} from './stored-session.ts';
import {initialSession} from '../../session/initial.ts';
import {restoredSession} from '../../session/lifecycle/opening.ts';
import type {SessionState} from '../../session/state.ts';

/** The lines of a session's file, in order. */
export interface StoredEvents {
  readonly header: Header;
  readonly lines: readonly (SessionEvent | Mark)[];
}

export function isMark(line: SessionEvent | Mark): line is Mark {
  return 'mark' in line;
}

export function sessionsFolder(state: string): string {
  return join(state, 'sessions');
}

/** Returns the path of a session's file; deleted sessions are moved, so that the index alone never decides what is deleted. */
export function sessionFile(state: string, id: string, place: 'kept' | 'deleted' = 'kept'): string {
  const folder = sessionsFolder(state);
  return join(place === 'kept' ? folder : join(folder, 'deleted'), `${id}.ndjson`);
}

/**
 * Reads a session's file. Partial or damaged lines are skipped, usually only the last one after a kill. The failure `file` if it is missing, unreadable, or
 * has a newer version. Only the first `bytes` are read, if given.
 */
export async function readEventFile(path: string, bytes?: number): Promise<Result<StoredEvents>> {
  const read = await readLines(path, 0, bytes);
  if (!read.ok) return read;
  const {header, lines} = read.value;
  if (header) return {ok: true, value: {header, lines}};
  return failed(path, 'it does not start as a session that this version of acp-tui can read');
}

/** Returns the complete lines in the last `bytes` of a session's file. */
export async function readEndOfFile(path: string, bytes: number): Promise<Result<StoredEvents['lines']>> {
  const size = statIfAny(path)?.size ?? 0;
  const read = await readLines(path, Math.max(0, size - bytes));
  return read.ok ? {ok: true, value: read.value.lines} : read;
}

async function readLines(
  path: string,
  start: number,
  bytes = Infinity,
): Promise<Result<Pick<StoredEvents, 'lines'> & Partial<StoredEvents>>> {
  let header: Header | undefined;
  const lines: (SessionEvent | Mark)[] = [];
  try {
    const input = createReadStream(path, {
      fd: openRegularFile(path),
      start,
      end: start + bytes - 1,
    });
    for await (const text of createInterface({input, crlfDelay: Infinity})) {
      const line = parseLine(text);
      if (line === undefined) continue;
      if ('v' in line) header ??= line;
      else lines.push(line);
    }
  } catch (error) {
    return failed(path, error);
  }
  return {ok: true, value: {lines, ...(header && {header})}};
}

/** The first line of a session's file. */
export interface Header {
  readonly v: typeof FILE_VERSION;
  readonly id: string;
  readonly created: number;
  readonly agent: StoredAgent;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
}

export const FILE_VERSION = 1;

/** Lines that are not events, but changes to the stored session. */
export type Mark = {readonly at: number} &
  /** `person` is false if print mode opened it. */
  (
    | {readonly mark: 'opened'; readonly by: ProcessIdentity; readonly person?: false}
    | {readonly mark: 'closed'}
    | {readonly mark: 'branch'; readonly branch: string | undefined}
    /** A later run resumes it; `restoredSession` was called with this time. */
    | {readonly mark: 'continued'}
    | {readonly mark: 'archived'; readonly archived: boolean}
    /** Protocol messages are recorded in this file, see docs/recordings.md. */
    | {readonly mark: 'recorded'; readonly file: string}
    /** This many lines could not be stored. */
    | {readonly mark: 'lost'; readonly lines: number}
  );

export function lineOf(content: Header | Mark | SessionEvent): string {
  return `${JSON.stringify(content)}\n`;
}

/** Undefined for a line that is partial, damaged, or of a newer version. */
export function parseLine(text: string): Header | Mark | SessionEvent | undefined {
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('v' in value) return value.v === FILE_VERSION && isHeader(value) ? value : undefined;
  if (!('at' in value) || typeof value.at !== 'number') return undefined;
  if ('mark' in value) return isKnownMark(value) ? value : undefined;
  if (!('type' in value) || typeof value.type !== 'string' || !isStoredEventType(value.type))
    return undefined;
  const event = value as {readonly type: typeof value.type; readonly at: number};
  return isWhole(event) ? event : undefined;
}

function isHeader(value: object): value is Header {
  const {id, created, agent, cwd, additionalDirectories}: Partial<Record<keyof Header, unknown>> = value;
  return (
    typeof id === 'string' &&
    typeof created === 'number' &&
    typeof agent === 'object' &&
    agent !== null &&
    typeof cwd === 'string' &&
    Array.isArray(additionalDirectories)
  );
}

const MARKS: {readonly [Name in Mark['mark']]: true} = {
  opened: true,
  closed: true,
  branch: true,
  continued: true,
  archived: true,
  recorded: true,
  lost: true,
};

function isKnownMark(value: object & Record<'mark', unknown>): value is Mark {
  return typeof value.mark === 'string' && Object.hasOwn(MARKS, value.mark);
}

/** `typed`: an object with a `type`. */
type Shape = 'text' | 'number' | 'list' | 'object' | 'typed';

/** Required fields of stored events; optional ones are not listed. */
const SHAPES: {
  readonly [Type in SessionEventType]?: {
    readonly [Field in Exclude<keyof SessionEventOf<Type>, 'type' | 'at'>]?: Shape;
  };
} = {
  connection_changed: {connection: 'object'},
  agent_initialized: {response: 'object', fallbackName: 'text'},
  session_opened: {session: 'object', how: 'text'},
  renamed: {title: 'text'},
  imported: {title: 'text', entries: 'list', terminals: 'list'},
  folder_added: {path: 'text'},
  session_update: {update: 'object'},
  subagent_updated: {sessionId: 'text', update: 'object'},
  prompt_started: {turn: 'number', content: 'list'},
  prompt_steered: {content: 'list'},
  prompt_ended: {turn: 'number', outcome: 'object'},
  permission_requested: {id: 'text', request: 'object'},
  permission_rule_offered: {id: 'text'},
  permission_outdated: {id: 'text', outdated: 'list'},
  permission_resolved: {id: 'text', toolCallId: 'text', decision: 'object'},
  terminal_created: {terminalId: 'text', command: 'text', cwd: 'text'},
  terminal_output: {terminalId: 'text', data: 'text'},
  terminal_drawn: {terminalId: 'text'},
  terminal_waits: {terminalId: 'text'},
  terminal_exited: {terminalId: 'text', exit: 'object'},
  terminal_released: {terminalId: 'text'},
  mode_set: {modeId: 'text'},
  model_set: {modelId: 'text'},
  config_options_set: {configOptions: 'list'},
  mcp_server_state: {name: 'text', state: 'text'},
  turn_changes: {turn: 'number', files: 'number', added: 'number', removed: 'number'},
  unreviewed_changes: {files: 'number', listed: 'list'},
  notice: {level: 'text', text: 'text'},
};

/** The same for the fields of updates, most of which are optional; all IDs are texts. */
const UPDATE_SHAPES: Readonly<Record<string, Shape>> = {
  sessionUpdate: 'text',
  title: 'text',
  description: 'text',
  name: 'text',
  kind: 'text',
  status: 'text',
  text: 'text',
  json: 'text',
  locations: 'list',
  entries: 'list',
  availableCommands: 'list',
  configOptions: 'list',
  plan: 'typed',
  cost: 'object',
  used: 'number',
  size: 'number',
};

/** The text that an update of this kind always has. */
const REQUIRED_TEXTS: Readonly<Record<string, string>> = {
  notice: 'title',
  tool_call: 'toolCallId',
  tool_call_update: 'toolCallId',
  subagent_update: 'sessionId',
};

const isOf: {readonly [Name in Shape]: (value: unknown) => boolean} = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  list: Array.isArray,
  object: isFields,
  typed: (value) => isFields(value) && typeof value['type'] === 'string',
};

/** True if an event has the required fields of its type. Agents' data was validated before it was stored; this detects damage. */
function isWhole(event: {readonly type: SessionEventType; readonly at: number}): event is SessionEvent {
  const fields: Fields = {...event};
  const isComplete = Object.entries<Shape>(SHAPES[event.type] ?? {}).every(([field, shape]) =>
    isOf[shape](fields[field]),
  );
  const isUpdate = event.type === 'session_update' || event.type === 'subagent_updated';
  return isComplete && (!isUpdate || isWholeUpdate(fields['update'] as Fields));
}

function isWholeUpdate(update: Fields): boolean {
  const {sessionUpdate, content} = update;
  const contents: Shape = String(sessionUpdate).endsWith('_chunk') ? 'typed' : 'list';
  const required = REQUIRED_TEXTS[String(sessionUpdate)];
  return (
    (content === undefined || content === null || isOf[contents](content)) &&
    (required === undefined || isOf.text(update[required])) &&
    Object.entries(update).every(([field, value]) => {
      const shape = field.endsWith('Id') ? 'text' : UPDATE_SHAPES[field];
      return shape === undefined || value === undefined || value === null || isOf[shape](value);
    })
  );
}

/** Time slice for reading a long session, in milliseconds, so that the window can draw frames in between. */
const STRETCH_MS = 8;

/** Returns the state after a session's events, exactly as it was after the last one. */
export async function replay({header, lines}: StoredEvents): Promise<SessionState> {
  const {cwd, additionalDirectories, created} = header;
  let state = initialSession({cwd, additionalDirectories, at: created});
  let pauseAt = performance.now() + STRETCH_MS;
  for (const line of lines) {
    state = withLine(state, line);
    if (performance.now() < pauseAt) continue;
    await setImmediate();
    pauseAt = performance.now() + STRETCH_MS;
  }
  return state;
}

/** Returns the state after the last lines of a session only: its end is exact, the rest is missing. */
export function replayEnd(lines: StoredEvents['lines']): SessionState {
  return lines.reduce(withLine, initialSession({cwd: '/', additionalDirectories: [], at: 0}));
}

function withLine(state: SessionState, line: SessionEvent | Mark): SessionState {
  if (!isMark(line)) return folded(state, line);
  return line.mark === 'continued' ? restoredSession(state, line.at) : state;
}

/** A damaged line that is still JSON, or one of a newer version, is skipped. */
function folded(state: SessionState, event: SessionEvent): SessionState {
  try {
    // An event type of a newer version matches no case.
    const next = reduce(state, event) as SessionState | undefined;
    return next ?? state;
  } catch {
    return state;
  }
}

import type {SessionEvent} from '../../session/events.ts';
import {isSessionEventType} from '../../session/reduce.ts';
import {isWhole} from './event-shapes.ts';
import type {ProcessIdentity} from '../process-identity.ts';
import type {StoredAgent} from './stored-session.ts';
import {jsonOf} from '../../text/json.ts';

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

/** Lines that are no events: what happened to the record of the session. */
export type Mark = {readonly at: number} & (
  | {readonly mark: 'opened'; readonly by: ProcessIdentity}
  | {readonly mark: 'closed'}
  | {readonly mark: 'branch'; readonly branch: string | undefined}
  /** A later run goes on with it, from `restoredSession` at this time. */
  | {readonly mark: 'continued'}
  | {readonly mark: 'archived'; readonly archived: boolean}
  /** What is said on the wire goes to this file, see docs/recordings.md. */
  | {readonly mark: 'recorded'; readonly file: string}
  /** So many lines could not be stored here. */
  | {readonly mark: 'lost'; readonly lines: number}
);

export type Line =
  | {readonly kind: 'header'; readonly header: Header}
  | {readonly kind: 'mark'; readonly mark: Mark}
  | {readonly kind: 'event'; readonly event: SessionEvent}
  /** A newer version wrote it. */
  | {readonly kind: 'unknown'};

export function lineOf(content: Header | Mark | SessionEvent): string {
  return `${JSON.stringify(content)}\n`;
}

/** Undefined for what is no line of ours: cut by a kill, or damaged. */
export function parseLine(text: string): Line | undefined {
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('v' in value)
    return value.v === FILE_VERSION && isHeader(value) ? {kind: 'header', header: value} : {kind: 'unknown'};
  if (!('at' in value) || typeof value.at !== 'number') return undefined;
  if ('mark' in value) return isMark(value) ? {kind: 'mark', mark: value} : {kind: 'unknown'};
  if (!('type' in value) || typeof value.type !== 'string') return undefined;
  if (!isSessionEventType(value.type)) return {kind: 'unknown'};
  const event = value as {readonly type: typeof value.type; readonly at: number};
  return isWhole(event) ? {kind: 'event', event} : undefined;
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

function isMark(value: object & Record<'mark', unknown>): value is Mark {
  return typeof value.mark === 'string' && Object.hasOwn(MARKS, value.mark);
}

import {createReadStream} from 'node:fs';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type {SessionEvent} from '../../session/events.ts';
import {reduce} from '../../session/reduce.ts';
import type {Result} from '../../shared/failure.ts';
import {fileFailed} from '../../shared/files/file-failure.ts';
import {pluralize} from '../../text/format.ts';
import {linesIn} from '../../text/lines.ts';
import {openRegularFile, statIfAny} from '../../shared/files/safe-files.ts';
import {parseLine, type SessionHeader, type SessionMark} from './event-lines.ts';
import {initialSession} from '../../session/initial.ts';
import {restoredSession} from '../../session/lifecycle/opening.ts';
import type {SessionState} from '../../session/state.ts';

/** The lines of a session's file, in order. */
export interface StoredEvents {
  readonly header: SessionHeader;
  readonly lines: readonly (SessionEvent | SessionMark)[];
}

export function isMark(line: SessionEvent | SessionMark): line is SessionMark {
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

/** Returns the path of a session's file, also of a deleted one. */
export function existingFile(state: string, id: string): string {
  const kept = sessionFile(state, id);
  return statIfAny(kept) ? kept : sessionFile(state, id, 'deleted');
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
  return fileFailed(path, 'it does not start as a session that this version of acp-tui can read');
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
  let header: SessionHeader | undefined;
  const lines: (SessionEvent | SessionMark)[] = [];
  try {
    const input = createReadStream(path, {
      fd: openRegularFile(path),
      start,
      end: start + bytes - 1,
    });
    for await (const text of linesIn(input as AsyncIterable<Uint8Array>)) {
      const line = parseLine(text);
      if (line === undefined) continue;
      if ('v' in line) header ??= line;
      else lines.push(line);
    }
  } catch (error) {
    return fileFailed(path, error);
  }
  return {ok: true, value: {lines, ...(header && {header})}};
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

function withLine(state: SessionState, line: SessionEvent | SessionMark): SessionState {
  if (!isMark(line)) return folded(state, line);
  if (line.mark === 'lost') return folded(state, lossNotice(line));
  return line.mark === 'continued' ? restoredSession(state, line.at) : state;
}

/** Whoever reads the session sees that it is not whole. */
function lossNotice({lines, at}: Extract<SessionMark, {mark: 'lost'}>): SessionEvent {
  const text = `What happened here could not be stored: ${pluralize(lines, 'event')} missing.`;
  return {type: 'notice', level: 'warning', text, at};
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

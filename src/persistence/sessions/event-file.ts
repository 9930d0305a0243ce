import {createReadStream} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import type {Result} from '../../failure.ts';
import type {SessionEvent} from '../../session/events.ts';
import {openRegularFile, statIfAny} from '../regular-file.ts';
import {fileFailure} from '../private-files.ts';
import {parseLine, type Header, type Mark} from './event-lines.ts';

/** What a session's file holds, in order. */
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

/** Where the file of a session lies; deleted ones are moved, so that the index alone never decides what is gone. */
export function sessionFile(state: string, id: string, place: 'kept' | 'deleted' = 'kept'): string {
  const folder = sessionsFolder(state);
  return join(place === 'kept' ? folder : join(folder, 'deleted'), `${id}.ndjson`);
}

/**
 * Reads a session's file. A line that was torn by a kill, or damaged, is left out: mostly the last one. The failure `file` when
 * it is not there, cannot be read, or was written by a newer version.
 */
export async function readEventFile(path: string): Promise<Result<StoredEvents>> {
  const read = await readLines(path, 0);
  if (!read.ok) return read;
  const {header, lines} = read.value;
  if (header) return {ok: true, value: {header, lines}};
  const problem = 'it does not begin as a session that this version of acp-tui can read';
  return {ok: false, failure: {kind: 'file', path, problem}};
}

/** The lines that lie wholly in the last `bytes` of a session's file. */
export async function readEndOfFile(path: string, bytes: number): Promise<Result<StoredEvents['lines']>> {
  const size = statIfAny(path)?.size ?? 0;
  const read = await readLines(path, Math.max(0, size - bytes));
  return read.ok ? {ok: true, value: read.value.lines} : read;
}

async function readLines(
  path: string,
  start: number,
): Promise<Result<Pick<StoredEvents, 'lines'> & Partial<StoredEvents>>> {
  let header: Header | undefined;
  const lines: (SessionEvent | Mark)[] = [];
  try {
    const input = createReadStream(path, {fd: openRegularFile(path), start});
    for await (const text of createInterface({input, crlfDelay: Infinity})) {
      const line = parseLine(text);
      if (line?.kind === 'header') header ??= line.header;
      else if (line?.kind === 'event') lines.push(line.event);
      else if (line?.kind === 'mark') lines.push(line.mark);
    }
  } catch (error) {
    return {ok: false, failure: fileFailure(path, error)};
  }
  return {ok: true, value: {lines, ...(header && {header})}};
}

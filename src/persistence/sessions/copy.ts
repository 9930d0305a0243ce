import type {SessionEvent} from '../../session/events.ts';
import {readRegularFile, statIfAny} from '../regular-file.ts';
import {sessionFile} from './event-file.ts';
import {parseLine} from './event-lines.ts';
import type {SessionOrigin} from './stored-session.ts';

/** What something will be a copy of, once it shows that it is one. */
export interface Original {
  readonly id: string;
  /** Of its file, as far as it goes into the copy: another window may write to it meanwhile. */
  readonly bytes: number;
}

export function originalOf({copies: id}: SessionOrigin, state: string): Original | undefined {
  if (id === undefined) return undefined;
  return {id, bytes: statIfAny(sessionFile(state, id))?.size ?? 0};
}

/** A copy in which nothing happened, and that the agent has not made either, would only be the same thing twice. */
export function beginsCopy(event: SessionEvent): boolean {
  return (
    event.type === 'prompt_started' ||
    event.type === 'terminal_created' ||
    (event.type === 'session_opened' && event.how === 'fork')
  );
}

/** What a copy of a stored session begins with, line by line: all that happened in it, and nothing of who had it open. */
export function linesToCopy(state: string, {id, bytes}: Original): string[] {
  return Buffer.from(readRegularFile(sessionFile(state, id)))
    .subarray(0, bytes)
    .toString('utf8')
    .split('\n')
    .filter((text) => {
      const line = parseLine(text);
      return line?.kind === 'event' || (line?.kind === 'mark' && line.mark.mark === 'continued');
    })
    .map((text) => `${text}\n`);
}

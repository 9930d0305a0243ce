import {readFileSync} from 'node:fs';
import {sessionFile} from './event-file.ts';
import {parseLine} from './event-lines.ts';

/** What a copy of a stored session begins with, line by line: all that happened in it, and nothing of who had it open. */
export function linesToCopy(state: string, id: string): string[] {
  return readFileSync(sessionFile(state, id), 'utf8')
    .split('\n')
    .filter((text) => {
      const line = parseLine(text);
      return line?.kind === 'event' || (line?.kind === 'mark' && line.mark.mark === 'continued');
    })
    .map((text) => `${text}\n`);
}

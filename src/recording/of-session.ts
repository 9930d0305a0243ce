import {messageOf} from './exchanges.ts';
import {livesOf} from './read.ts';
import type {RecordingLine} from './schema.ts';

/** The lines of the agent processes in which a session was open. */
export function linesOfSession(lines: readonly RecordingLine[], sessionId: string): readonly RecordingLine[] {
  const lives = livesOf(lines).filter((life) => life.some((line) => isAbout(line, sessionId)));
  const chosen = new Set(lives.flat());
  return lines.filter((line) => chosen.has(line));
}

function isAbout(line: RecordingLine, sessionId: string): boolean {
  const message = messageOf(line);
  return [message?.['params'], message?.['result']].some(
    (part) =>
      typeof part === 'object' && part !== null && 'sessionId' in part && part.sessionId === sessionId,
  );
}

/** The text of a recording. */
export function recordingText(lines: readonly RecordingLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

import {recordingLineSchema, type RecordingLine, type StartLine} from './schema.ts';
import {jsonOf} from '../text/json.ts';

export interface Recording {
  readonly lines: readonly RecordingLine[];
  /** How many lines could not be read; one that a kill has torn at the end is not counted. */
  readonly unreadable: number;
}

/** Reads the text of a recording. Nothing is thrown: what is no line of a recording is counted. */
export function readRecording(text: string): Recording {
  const rows = text.split('\n');
  const last = rows.pop() ?? '';
  const found = [...rows, last].map(readLine);
  const lines = found.flatMap((line) => line ?? []);
  const isTorn = last !== '' && found.at(-1) === undefined;
  const filled = rows.filter((row) => row.trim() !== '').length + (last === '' ? 0 : 1);
  return {lines, unreadable: filled - lines.length - (isTorn ? 1 : 0)};
}

/** One line; undefined when it is none of a recording. */
export function readLine(row: string): RecordingLine | undefined {
  return recordingLineSchema.safeParse(jsonOf(row)).data;
}

/** The lines of each agent process, in order: a recording may hold several, one after the other or at the same time. */
export function livesOf(lines: readonly RecordingLine[]): readonly (readonly RecordingLine[])[] {
  const lives: RecordingLine[][] = [];
  const current = new Map<number, RecordingLine[]>();
  for (const line of lines) {
    const known = current.get(line.p ?? 1);
    if (known && !isStart(line)) known.push(line);
    else {
      const life = [line];
      lives.push(life);
      current.set(line.p ?? 1, life);
    }
  }
  return lives;
}

export function isStart(line: RecordingLine): line is StartLine {
  return line.d === '#' && line.e === 'start';
}

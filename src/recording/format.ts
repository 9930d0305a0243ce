import * as z from 'zod/mini';
import {version} from '../shared/version.ts';
import {jsonOf} from '../text/json.ts';

/** The version of the format, see docs/internals/recordings.md. */
const RECORDING_VERSION = 1;

/** Milliseconds since the agent was started. */
const t = z.number().check(z.nonnegative());
/** Number of the agent process in a run; undefined for the first. */
const p = z.optional(z.number().check(z.positive()));
const message = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]);

const start = z.object({
  t,
  p,
  d: z.literal('#'),
  e: z.literal('start'),
  v: z.literal(RECORDING_VERSION),
  /** Milliseconds since the epoch. */
  at: z.number(),
  program: z.string(),
  agent: z.object({label: z.string(), command: z.string(), args: z.array(z.string())}),
  cwd: z.string(),
});

const exit = z.object({
  t,
  p,
  d: z.literal('#'),
  e: z.literal('exit'),
  code: z.nullable(z.number()),
  signal: z.nullable(z.string()),
  asked: z.boolean(),
});

/** One line of a recording, see docs/internals/recordings.md. */
export const recordingLineSchema = z.union([
  z.object({t, p, d: z.enum(['<', '>']), m: message}),
  /** Output of the agent that is not a message. */
  z.object({t, p, d: z.literal('<'), text: z.string()}),
  /** A line of its stderr. */
  z.object({t, p, d: z.literal('!'), text: z.string()}),
  start,
  exit,
]);

export type RecordingLine = z.infer<typeof recordingLineSchema>;
type StartLine = z.infer<typeof start>;

export interface Recording {
  readonly lines: readonly RecordingLine[];
  /** Number of unreadable lines, except a partial last line after a kill. */
  readonly unreadable: number;
}

/** Parses the text of a recording. Never throws: invalid lines are counted. */
export function readRecording(text: string): Recording {
  const rows = text.split('\n');
  const last = rows.pop() ?? '';
  const found = [...rows, last].map(readLine);
  const lines = found.flatMap((line) => line ?? []);
  const isTorn = last !== '' && found.at(-1) === undefined;
  const filled = rows.filter((row) => row.trim() !== '').length + (last === '' ? 0 : 1);
  return {lines, unreadable: filled - lines.length - (isTorn ? 1 : 0)};
}

/** Parses one line; undefined if it is invalid. */
export function readLine(row: string): RecordingLine | undefined {
  return recordingLineSchema.safeParse(jsonOf(row)).data;
}

/** Returns the lines of each agent process, in order: a recording may contain several, sequential or parallel. */
export function runsOf(lines: readonly RecordingLine[]): readonly (readonly RecordingLine[])[] {
  const runs: RecordingLine[][] = [];
  const current = new Map<number, RecordingLine[]>();
  for (const line of lines) {
    const known = current.get(line.p ?? 1);
    if (known && !isStart(line)) known.push(line);
    else {
      const run = [line];
      runs.push(run);
      current.set(line.p ?? 1, run);
    }
  }
  return runs;
}

export function isStart(line: RecordingLine): line is StartLine {
  return line.d === '#' && line.e === 'start';
}

/** When an agent process was started, in milliseconds since the epoch, and the number of earlier ones. */
export interface RecordedProcess {
  readonly startedAt: number;
  readonly before: number;
}

/** Returns the recorded line of an event. */
export function toRecordingLine(event: WireEvent, {startedAt, before}: RecordedProcess): RecordingLine {
  const t = {t: Math.max(0, event.at - startedAt), ...(before > 0 && {p: before + 1})};
  switch (event.kind) {
    case 'started': {
      const {label, command, args} = event.agent;
      return {
        ...t,
        d: '#',
        e: 'start',
        v: RECORDING_VERSION,
        at: event.at,
        program: `acp-tui ${version}`,
        agent: {label, command, args: [...args]},
        cwd: event.cwd,
      };
    }
    case 'message': {
      const m = asMessage(event.line);
      if (m === undefined) return {...t, d: '<', text: event.line};
      return {...t, d: event.direction === 'from_agent' ? '<' : '>', m};
    }
    case 'stderr':
      return {...t, d: '!', text: event.text};
    case 'exited':
      return {...t, d: '#', e: 'exit', code: event.code, signal: event.signal, asked: event.asked};
  }
}

/** Returns a line as JSON; undefined if it is neither an object nor a list, and so not a message. */
function asMessage(line: string): Record<string, unknown> | unknown[] | undefined {
  const value = jsonOf(line);
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown> | unknown[])
    : undefined;
}

/** An event of an agent process, identified by its `pid`, or a message. `at` is milliseconds since the epoch. */
export type WireEvent = {readonly pid: number; readonly at: number} & (
  | {readonly kind: 'started'; readonly agent: StartedAgent; readonly cwd: string}
  /** A line in either direction, as sent. */
  | {readonly kind: 'message'; readonly direction: 'from_agent' | 'to_agent'; readonly line: string}
  /** Text in chunks of any size. */
  | {readonly kind: 'stderr'; readonly text: string}
  /** `asked` is true if acp-tui ended it. */
  | {
      readonly kind: 'exited';
      readonly code: number | null;
      readonly signal: string | null;
      readonly asked: boolean;
    }
);

interface StartedAgent {
  /** The name by which the user started it. */
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
}

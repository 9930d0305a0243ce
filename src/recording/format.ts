import * as z from 'zod/mini';
import {version} from '../shared/version.ts';
import {jsonOf} from '../text/json.ts';

/** The version of the format, see docs/recordings.md. */
const RECORDING_VERSION = 1;

/** Milliseconds since the agent was started. */
const t = z.number().check(z.nonnegative());
/** Counts the agent processes of one run of the program; absent for the first. */
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

/** One line of a recording, see docs/recordings.md. */
export const recordingLineSchema = z.union([
  z.object({t, p, d: z.enum(['<', '>']), m: message}),
  /** What the agent printed and is no message. */
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

/** When an agent process was started, in milliseconds since the epoch, and how many were before it. */
export interface RecordedProcess {
  readonly startedAt: number;
  readonly before: number;
}

/** Returns the recorded line of an event. */
export function recorded(event: WireEvent, {startedAt, before}: RecordedProcess): RecordingLine {
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

/** A line as JSON; undefined when it is no object and no list, and so no message. */
function asMessage(line: string): Record<string, unknown> | unknown[] | undefined {
  const value = jsonOf(line);
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown> | unknown[])
    : undefined;
}

/** An event of an agent process, named by its `pid`, or of its wire. `at` is milliseconds since the epoch. */
export type WireEvent = {readonly pid: number; readonly at: number} & (
  | {readonly kind: 'started'; readonly agent: StartedAgent; readonly cwd: string}
  /** A line in either direction, as it was sent. */
  | {readonly kind: 'message'; readonly direction: 'from_agent' | 'to_agent'; readonly line: string}
  /** Text in pieces of any size. */
  | {readonly kind: 'stderr'; readonly text: string}
  /** `asked` where we ended it. */
  | {
      readonly kind: 'exited';
      readonly code: number | null;
      readonly signal: string | null;
      readonly asked: boolean;
    }
);

interface StartedAgent {
  /** As the user named it. */
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
}

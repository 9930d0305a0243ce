import * as z from 'zod/mini';

/** The version of the format, see docs/recordings.md. */
export const RECORDING_VERSION = 1;

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
export type StartLine = z.infer<typeof start>;
export type ExitLine = z.infer<typeof exit>;
export type MessageLine = Extract<RecordingLine, {m: unknown}>;

import * as z from 'zod/mini';
import {describeFailure} from '../../shared/failure-messages.ts';
import type {Failure} from '../../shared/failure.ts';

/** The version of the format; other versions are rejected. */
export const EXPORT_VERSION = 1;
export const EXPORT_KIND = 'acp-tui-session';

const time = z.number();
const text = z.string();
const words = z.optional(z.nullable(text));

/** The protocol's content types: validated as far as they are used here, with additional fields kept. */
const contentBlock = z.discriminatedUnion('type', [
  z.looseObject({type: z.literal('text'), text}),
  z.looseObject({type: z.literal('image'), data: text, mimeType: text, uri: words}),
  z.looseObject({type: z.literal('audio'), data: text, mimeType: text}),
  z.looseObject({type: z.literal('resource_link'), name: text, uri: text, title: words, mimeType: words}),
  z.looseObject({
    type: z.literal('resource'),
    resource: z.union([z.looseObject({uri: text, text}), z.looseObject({uri: text, blob: text})]),
  }),
]);
const toolContent = z.discriminatedUnion('type', [
  z.looseObject({type: z.literal('content'), content: contentBlock}),
  z.looseObject({type: z.literal('diff'), path: text, oldText: words, newText: text}),
  z.looseObject({type: z.literal('terminal'), terminalId: text}),
]);
const planContent = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('items'),
    entries: z.array(z.looseObject({content: text, status: text, priority: text})),
  }),
  z.looseObject({type: z.literal('markdown'), content: text}),
  z.looseObject({type: z.literal('file'), uri: text}),
]);
const message = {messageId: z.optional(text), content: z.array(contentBlock), complete: z.boolean()};
const exit = z.object({code: z.nullable(z.number()), signal: z.nullable(text)});
const failure = z
  .looseObject({kind: text})
  .check(z.refine(isKnownFailure, {error: 'an unknown kind of failure'}));

function entry<const Type extends string, Shape extends z.core.$ZodShape>(type: Type, shape: Shape) {
  return z.object({
    type: z.literal(type),
    id: text,
    turn: z.optional(z.number()),
    at: time,
    excluded: z.optional(z.boolean()),
    onlyHere: z.optional(z.boolean()),
    ...shape,
  });
}

const toolCall = entry('tool_call', {
  toolCallId: text,
  title: text,
  name: z.optional(text),
  kind: text,
  status: z.enum(['pending', 'in_progress', 'completed', 'failed', 'cancelled', 'paused']),
  isAsked: z.optional(z.literal(true)),
  content: z.array(toolContent),
  locations: z.array(z.looseObject({path: text, line: z.optional(z.nullable(z.number()))})),
  rawInput: z.optional(z.unknown()),
  rawOutput: z.optional(z.unknown()),
  endedAt: z.optional(time),
  waitedMs: z.optional(z.number()),
  permission: z.optional(
    z.object({
      outcome: z.enum(['allowed', 'rejected', 'cancelled', 'withdrawn']),
      option: z.optional(text),
      by: text,
    }),
  ),
});

const turnEnd = entry('turn_end', {
  summary: z.object({
    turn: z.number(),
    outcome: z.discriminatedUnion('kind', [
      z.object({kind: z.literal('stopped'), stopReason: text}),
      z.object({kind: z.literal('failed'), failure}),
    ]),
    durationMs: z.number(),
    usage: z.optional(z.looseObject({totalTokens: z.number()})),
    cost: z.optional(z.looseObject({amount: z.number(), currency: text})),
    changedFiles: z.optional(z.number()),
  }),
});

const entrySchema = z.discriminatedUnion('type', [
  entry('user_message', message),
  entry('agent_message', message),
  entry('agent_thought', message),
  toolCall,
  entry('plan', {planId: text, content: planContent}),
  entry('notice', {
    level: z.enum(['info', 'warning', 'error']),
    text,
    source: z.enum(['agent', 'client']),
  }),
  entry('compaction', {
    compactionId: text,
    status: text,
    summary: z.array(contentBlock),
    error: z.optional(text),
  }),
  entry('subagent', {
    sessionId: text,
    title: z.optional(text),
    description: z.optional(text),
    state: z.optional(text),
    stopReason: z.optional(text),
    problem: z.optional(text),
    canCancel: z.optional(z.boolean()),
    since: z.optional(time),
    workedMs: z.optional(z.number()),
    usage: z.optional(z.looseObject({totalTokens: z.number()})),
  }),
  entry('session_message', {
    messageId: text,
    sender: z.optional(text),
    recipient: z.optional(text),
    content: z.array(contentBlock),
  }),
  entry('unknown', {kind: text, count: z.number(), json: text}),
  turnEnd,
  entry('failure', {failure}),
  entry('shell_command', {command: text, terminalId: text, endedAt: z.optional(time)}),
  entry('elicitation', {
    mode: z.enum(['form', 'url']),
    message: text,
    asker: z.optional(text),
    toolCallId: z.optional(text),
    about: z.optional(text),
    url: z.optional(text),
    answers: z.array(
      z.object({label: text, answer: z.optional(text), isSecret: z.optional(z.literal(true))}),
    ),
    outcome: z.enum(['accepted', 'declined', 'cancelled', 'withdrawn']),
  }),
]);

/** True if the failure can be described: failures are stored as internal data, which newer versions may extend. */
function isKnownFailure(failure: {readonly kind: string}): boolean {
  try {
    return typeof describeFailure(failure as Failure).what === 'string';
  } catch {
    return false;
  }
}

const color = z.union([z.number(), z.string().check(z.regex(/^#[0-9a-f]{6}$/i))]);
const styleSchema = z.object({
  foreground: z.optional(color),
  background: z.optional(color),
  bold: z.optional(z.literal(true)),
  dim: z.optional(z.literal(true)),
  italic: z.optional(z.literal(true)),
  underline: z.optional(z.literal(true)),
  inverse: z.optional(z.literal(true)),
  strikethrough: z.optional(z.literal(true)),
});

const terminalSchema = z.object({
  id: text,
  runBy: z.enum(['client', 'user', 'agent']),
  command: z.optional(text),
  cwd: z.optional(text),
  output: text,
  truncated: z.boolean(),
  screen: z.optional(
    z.object({
      rows: z.array(z.array(z.object({text, style: z.optional(styleSchema)}))),
      dropped: z.number(),
    }),
  ),
  exit: z.optional(exit),
});

/** An exported session as JSON, documented in docs/sessions.md. */
export const exportSchema = z.object({
  kind: z.literal(EXPORT_KIND),
  v: z.literal(EXPORT_VERSION),
  exportedAt: time,
  masked: z.boolean(),
  session: z.object({
    title: text,
    agent: z.object({label: text, name: z.optional(text), version: z.optional(text)}),
    cwd: text,
    additionalDirectories: z.array(text),
    branch: z.optional(text),
    createdAt: time,
    updatedAt: time,
  }),
  entries: z.array(entrySchema),
  /** Missing in sessions without subagents, and in exports of earlier versions. */
  subagents: z.optional(
    z.array(
      z.object({
        id: text,
        parent: z.optional(text),
        title: z.optional(text),
        entries: z.array(entrySchema),
      }),
    ),
  ),
  terminals: z.array(terminalSchema),
});

export type ExportedSession = z.infer<typeof exportSchema>;

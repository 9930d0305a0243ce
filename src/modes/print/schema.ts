import * as z from 'zod/mini';
import {APPROVAL_LEVELS} from '../../session/settings/approval.ts';

/**
 * The stable schema of `--output-format json` and `stream-json`, documented in docs/scripts.md. Within version 1 fields and event types are only added.
 * Texts are the agent's own; missing values are null.
 */
const VERSION = z.literal(1);
const text = z.string();
const orNull = <T extends z.core.SomeType>(schema: T) => z.nullable(schema);
const count = z.number();

const location = z.object({path: text, line: orNull(z.number())});
const content = z.looseObject({type: text});
const permission = z.object({
  outcome: z.enum(['allowed', 'rejected', 'cancelled', 'withdrawn']),
  option: orNull(text),
  by: text,
});

const toolCall = z.object({
  toolCallId: text,
  title: text,
  name: orNull(text),
  kind: text,
  status: text,
  locations: z.array(location),
  permission: orNull(permission),
});

const denied = z.object({
  method: text,
  title: text,
  kind: orNull(text),
  toolCallId: orNull(text),
  allowedBy: orNull(z.enum(APPROVAL_LEVELS)),
  rule: orNull(text),
  subagent: orNull(text),
});

const subagent = z.object({
  sessionId: text,
  parent: orNull(text),
  title: orNull(text),
  state: orNull(text),
  stopReason: orNull(text),
  text,
  toolCalls: z.array(toolCall),
  tokens: orNull(count),
  durationMs: z.number(),
});

const sent = z.object({
  name: text,
  kind: z.enum(['image', 'audio', 'text', 'blob']),
  mimeType: orNull(text),
  bytes: count,
  path: orNull(text),
  toolCallId: orNull(text),
  subagent: orNull(text),
});

const cost = z.object({amount: z.number(), currency: text});
const context = z.object({used: count, size: count});
const tokens = z.object({
  total: count,
  input: count,
  output: count,
  thought: orNull(count),
  cachedRead: orNull(count),
  cachedWrite: orNull(count),
});

const notice = z.object({
  level: z.enum(['info', 'warning', 'error']),
  text,
  source: z.enum(['agent', 'client']),
});

/** The object of `json`, and the last line of `stream-json`. */
export const resultSchema = z.object({
  v: VERSION,
  type: z.literal('result'),
  agent: orNull(z.object({name: text, title: orNull(text), version: orNull(text)})),
  sessionId: orNull(text),
  stopReason: orNull(text),
  text,
  toolCalls: z.array(toolCall),
  subagents: z.array(subagent),
  content: z.array(sent),
  denied: z.array(denied),
  usage: z.object({tokens: orNull(tokens), context: orNull(context), cost: orNull(cost)}),
  notices: z.array(notice),
  error: orNull(z.object({kind: text, message: text})),
  exitCode: z.int(),
  durationMs: z.number(),
});

const event = {v: VERSION, sessionId: orNull(text)};
const planEntry = z.object({content: text, priority: text, status: text});

/** One line of `stream-json`. */
export const streamEventSchema = z.discriminatedUnion('type', [
  z.object({
    ...event,
    type: z.literal('init'),
    cwd: text,
    agent: resultSchema.shape.agent,
  }),
  z.object({
    ...event,
    type: z.literal('text'),
    message: z.int(),
    messageId: orNull(text),
    text,
    replaces: z.optional(z.literal(true)),
  }),
  z.object({...event, type: z.literal('thought'), messageId: orNull(text), text}),
  z.object({
    ...event,
    type: z.literal('tool_call'),
    toolCallId: text,
    title: text,
    name: orNull(text),
    kind: text,
    status: text,
    content: z.array(content),
    locations: z.array(location),
    rawInput: z.unknown(),
    rawOutput: z.unknown(),
  }),
  z.object({
    ...event,
    type: z.literal('tool_call_update'),
    toolCallId: text,
    title: z.optional(text),
    name: z.optional(text),
    kind: z.optional(text),
    status: z.optional(text),
    content: z.optional(z.array(content)),
    locations: z.optional(z.array(location)),
    rawInput: z.optional(z.unknown()),
    rawOutput: z.optional(z.unknown()),
  }),
  z.object({...event, type: z.literal('plan'), planId: text, entries: z.array(planEntry)}),
  z.object({
    ...event,
    type: z.literal('permission'),
    toolCallId: text,
    title: orNull(text),
    ...permission.shape,
  }),
  /** An activity of a subagent, as the event that it would be in the session itself. */
  z.object({...event, type: z.literal('subagent'), subagent: text, title: text, event: content}),
  z.object({...event, type: z.literal('usage'), ...context.shape, cost: orNull(cost)}),
  z.object({...event, type: z.literal('notice'), ...notice.shape}),
  z.object({...event, type: z.literal('other'), kind: text, data: z.unknown()}),
  resultSchema,
]);

export type RunResult = z.infer<typeof resultSchema>;
export type StreamEvent = z.infer<typeof streamEventSchema>;

import type * as acp from '@agentclientprotocol/sdk/unstable';
import * as fc from 'fast-check';
import {readFields} from '../../../src/session/forms/form-schema.ts';
import type {Update} from '../../../src/session/events.ts';
import {calls, callUpdate, ended, type UntimedEvent, newSession, prompted, update} from './build.ts';

/** Few IDs, so that updates refer to each other; some are names of built-in properties. */
const id = fc.constantFrom('a', 'b', '', '__proto__', 'constructor');
const words = fc.oneof(
  fc.string({unit: 'binary', maxLength: 8}),
  fc.constantFrom('hello ', '\u001b[3', '1m', '\r'),
);
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, {nil: null});

const block: fc.Arbitrary<acp.ContentBlock> = fc.oneof(
  fc.record({
    type: fc.constant('text' as const),
    text: words,
    annotations: nullable(
      fc.record({audience: nullable(fc.array(fc.constantFrom('user' as const, 'assistant' as const)))}),
    ),
  }),
  fc.record({type: fc.constant('image' as const), mimeType: words, data: words}),
  fc.record({type: fc.constant('resource_link' as const), name: words, uri: words}),
);

const toolContent: fc.Arbitrary<acp.ToolCallContent> = fc.oneof(
  fc.record({type: fc.constant('content' as const), content: block}),
  fc.record({type: fc.constant('diff' as const), path: words, oldText: nullable(words), newText: words}),
  fc.record({type: fc.constant('terminal' as const), terminalId: id}),
);

const meta = nullable(
  fc.dictionary(
    fc.constantFrom('terminal_info', 'terminal_output', 'terminal_output_delta', 'terminal_exit'),
    fc.oneof(
      fc.jsonValue(),
      fc.record({
        terminal_id: id,
        data: fc.oneof(words, fc.jsonValue()),
        exit_code: fc.jsonValue(),
        signal: fc.jsonValue(),
      }),
    ),
  ),
);

const callFields = fc.record(
  {
    status: fc.constantFrom(
      'pending' as const,
      'in_progress' as const,
      'completed' as const,
      'failed' as const,
    ),
    content: fc.array(toolContent, {maxLength: 2}),
    locations: fc.array(fc.record({path: words}), {maxLength: 2}),
    rawInput: fc.jsonValue(),
    rawOutput: fc.jsonValue(),
    _meta: meta,
  },
  {requiredKeys: []},
);

const steps = fc.array(
  fc.record({
    content: words,
    priority: fc.constant('low' as const),
    status: fc.constantFrom('pending' as const, 'completed' as const),
  }),
  {maxLength: 2},
);

const select: fc.Arbitrary<acp.SessionConfigOption> = fc.record({
  type: fc.constant('select' as const),
  id,
  name: words,
  category: nullable(fc.constantFrom('mode', 'model', 'other')),
  currentValue: id,
  options: fc.array(fc.record({value: id, name: words}), {maxLength: 2}),
});

const messageChunk = fc.record({
  sessionUpdate: fc.constantFrom(
    'user_message_chunk' as const,
    'agent_message_chunk' as const,
    'agent_thought_chunk' as const,
  ),
  content: block,
  messageId: nullable(id),
});

export const anyUpdate: fc.Arbitrary<Update> = fc.oneof(
  {arbitrary: messageChunk, weight: 4},
  fc.tuple(id, callFields).map(([toolCallId, fields]) => calls(toolCallId, fields)),
  fc.tuple(id, callFields).map(([toolCallId, fields]) => callUpdate(toolCallId, fields)),
  steps.map((entries): Update => ({sessionUpdate: 'plan', entries})),
  fc.tuple(id, steps).map(([planId, entries]): Update => ({
    sessionUpdate: 'plan_update',
    plan: {type: 'items', planId, entries},
  })),
  id.map((planId): Update => ({sessionUpdate: 'plan_removed', planId})),
  id.map((name): Update => ({
    sessionUpdate: 'available_commands_update',
    availableCommands: [{name, description: ''}],
  })),
  id.map((currentModeId): Update => ({sessionUpdate: 'current_mode_update', currentModeId})),
  fc
    .array(select, {maxLength: 2})
    .map((configOptions): Update => ({sessionUpdate: 'config_option_update', configOptions})),
  nullable(words).map((title): Update => ({sessionUpdate: 'session_info_update', title})),
  fc.double().map((used): Update => ({
    sessionUpdate: 'usage_update',
    used,
    size: -used,
    cost: {amount: used, currency: 'USD'},
  })),
  words.map((title): Update => ({sessionUpdate: 'notice', severity: title, title})),
  fc.record({
    sessionUpdate: fc.constant('compaction_update' as const),
    compactionId: id,
    status: words,
    summary: nullable(fc.array(block, {maxLength: 2})),
  }),
  fc.record({
    sessionUpdate: fc.constant('compaction_summary_chunk' as const),
    compactionId: id,
    content: block,
  }),
  fc.record({
    sessionUpdate: fc.constant('subagent_update' as const),
    sessionId: id,
    title: nullable(words),
    state: nullable(
      fc.record({
        state: fc.constantFrom('running', 'idle', 'requires_action', 'unknown', 'odd'),
        stopReason: nullable(fc.constantFrom('end_turn', 'cancelled', 'error', 'odd')),
      }),
    ),
    capabilities: nullable(fc.record({cancel: nullable(fc.constant({}))})),
  }),
  fc.record({
    sessionUpdate: fc.constant('session_message' as const),
    messageId: id,
    senderSessionId: nullable(id),
    content: nullable(fc.array(block, {maxLength: 2})),
  }),
  fc.record({sessionUpdate: fc.constant('session_message_chunk' as const), messageId: id, content: block}),
  fc.record({sessionUpdate: fc.constant('_unknown' as const), kind: id, json: words}),
);

const turn = fc.integer({min: 1, max: 3});

/** Events in any order, including ones that no client would make. */
export const anyEvent: fc.Arbitrary<UntimedEvent> = fc.oneof(
  {arbitrary: anyUpdate.map(update), weight: 12},
  {
    arbitrary: fc.tuple(id, anyUpdate).map(([sessionId, reported]): UntimedEvent => ({
      type: 'subagent_updated',
      sessionId,
      update: reported,
    })),
    weight: 6,
  },
  turn.map((turn) => prompted('go', turn)),
  fc
    .tuple(fc.constantFrom('end_turn' as const, 'refusal' as const, 'cancelled' as const), turn)
    .map(([reason, turn]) => ended(reason, turn)),
  fc.constant<UntimedEvent>({type: 'cancel_requested'}),
  id.map((sessionId) => newSession(sessionId)),
  fc.tuple(id, id).map(([id, toolCallId]): UntimedEvent => ({
    type: 'permission_requested',
    id,
    request: {sessionId: 's1', toolCall: {toolCallId}, options: []},
  })),
  fc.tuple(id, id).map(([id, toolCallId]): UntimedEvent => ({
    type: 'permission_resolved',
    id,
    toolCallId,
    decision: {outcome: 'allowed', option: undefined, by: 'user'},
  })),
  fc.tuple(id, id, words).map(([id, toolCallId, message]): UntimedEvent => ({
    type: 'elicitation_requested',
    id,
    asked: {
      mode: 'form',
      message,
      toolCallId,
      fields: readFields({properties: {[message]: {title: message}}}),
    },
  })),
  fc.tuple(id, words).map(([id, message]): UntimedEvent => ({
    type: 'elicitation_requested',
    id,
    asked: {mode: 'url', message, link: {href: 'https://a.example/', host: 'a.example'}},
  })),
  fc.tuple(id, words).map(([id, answer]): UntimedEvent => ({
    type: 'elicitation_resolved',
    id,
    outcome: 'accepted',
    answers: [{label: answer, answer}],
  })),
  id.map((id): UntimedEvent => ({type: 'elicitation_completed', id})),
  id.map((terminalId): UntimedEvent => ({
    type: 'terminal_created',
    terminalId,
    command: 'ls',
    cwd: '/',
    pty: true,
  })),
  fc
    .tuple(id, words)
    .map(([terminalId, data]): UntimedEvent => ({type: 'terminal_output', terminalId, data})),
  fc.constantFrom<UntimedEvent>(
    {type: 'connection_changed', connection: {kind: 'ready'}},
    {type: 'connection_changed', connection: {kind: 'closed'}},
    {
      type: 'connection_changed',
      connection: {kind: 'lost', failure: {kind: 'connection_lost', exit: undefined, stderrTail: ''}},
    },
  ),
  id.map((modeId): UntimedEvent => ({type: 'mode_set', modeId})),
  id.map((modelId): UntimedEvent => ({type: 'model_set', modelId})),
);

/** A model's text, with all that it may contain; control sequences as they come, between words. */
export const anyText = fc
  .array(
    fc.oneof(
      fc.string({unit: 'grapheme', minLength: 1, maxLength: 12}),
      fc.constantFrom(
        'word',
        '\r\n',
        '😀',
        '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
        '\u001b[31mred\u001b[0m',
        '\u001b]8;;http://x\u001b\\link\u001b]8;;\u0007',
        '\u001bP1\nq\u001b\\end',
      ),
    ),
    {minLength: 1, maxLength: 12},
  )
  .map((parts) => parts.join('.'));

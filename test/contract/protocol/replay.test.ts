import type {
  ContentBlock,
  InitializeResponse,
  PermissionOption,
  PromptResponse,
} from '@agentclientprotocol/sdk/unstable';
import {readdirSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import type {OpenedSession, SessionEvent} from '../../../src/session/events.ts';
import {initialSession} from '../../../src/session/initial.ts';
import {reduce} from '../../../src/session/reduce.ts';
import type {SessionState} from '../../../src/session/state.ts';
import {readWire, replay, wires, type ClientAction, type RecordedMessage} from './replay.ts';

const files = readdirSync(wires).filter((name) => name.endsWith('.ndjson'));

const EXPECTED = [
  'ignored a notification: _auth/status_update',
  'corrected a protocol deviation of the agent: interruption',
];

describe.each(files)('%s', (file) => {
  const recording = readWire(file);

  test("delivers every update as sent, in order, except the user's own messages", async () => {
    const {actions, log} = await replay(recording);
    const updates = actions.flatMap((each) => (each.what === 'update' ? [each.update] : []));
    expect(updates).toEqual(recordedUpdates(recording).map(meant));
    expect(log.filter((text) => !EXPECTED.some((expected) => text.startsWith(expected)))).toEqual([]);
  });

  test('delivers every permission request as sent, with its options from the narrowest yes on', async () => {
    const {actions} = await replay(recording);
    expect(actions.flatMap((each) => (each.what === 'permission' ? [each.asked] : []))).toEqual(
      fromAgent(recording, 'session/request_permission').map((request) => ({request: ordered(request)})),
    );
  });

  test('delivers every response before later messages', async () => {
    const {actions} = await replay(recording);
    const updatesBeforeEnd = actions.slice(0, lastIndex(actions, isPromptEnd)).filter(isUpdate).length;
    expect(updatesBeforeEnd).toBe(recordedUpdates(recording.slice(0, lastPromptAnswer(recording))).length);
  });

  test('builds a session with all text and every tool call', async () => {
    const {actions} = await replay(recording);
    const state = actions
      .flatMap(eventsOf)
      .reduce(reduce, initialSession({cwd: '/', additionalDirectories: [], at: 0}));
    expect(agentText(state)).toBe(recordedText(recording));
    const calls = state.entries.flatMap((entry) => (entry.type === 'tool_call' ? [entry.toolCallId] : []));
    expect(new Set(calls)).toEqual(recordedToolCalls(recording));
    expect(state.turn).toEqual({kind: 'idle'});
  });
});

test('the legacy models block reaches the opened session', async () => {
  const {actions} = await replay(readWire('gemini-run.ndjson'));
  const opened = actions.find((each) => each.what === 'result' && each.method === 'session/new');
  expect(opened).toMatchObject({
    result: {
      ok: true,
      value: {
        models: {
          currentModelId: 'gemini-2.5-flash',
          availableModels: expect.arrayContaining([{modelId: 'gemini-2.5-pro', name: 'gemini-2.5-pro'}]),
        },
      },
    },
  });
});

test.each([
  [
    'gemini-error.ndjson',
    {code: 400, message: 'mock: scripted error 400', detail: expect.stringContaining('INVALID_ARGUMENT')},
  ],
  ['opencode-error.ndjson', {code: -32603, message: 'Internal error: mock: scripted error 400'}],
])('%s: the error of the model service is reported with its cause', async (file, error) => {
  const {actions} = await replay(readWire(file));
  const failed = actions.find((each) => each.what === 'result' && !each.result.ok);
  expect(failed).toMatchObject({
    result: {failure: {kind: 'agent_error', method: 'session/prompt', ...error}},
  });
});

function fromAgent(recording: readonly RecordedMessage[], method: string): Record<string, unknown>[] {
  return recording.flatMap(({d, m}) => (d === '<' && m.method === method ? [m.params ?? {}] : []));
}

function recordedUpdates(recording: readonly RecordedMessage[]): Record<string, unknown>[] {
  return fromAgent(recording, 'session/update').map(({update}) => update as Record<string, unknown>);
}

/** "for this session" comes after "once", whatever the agent's order. */
function ordered(request: Record<string, unknown>): Record<string, unknown> {
  const kinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];
  const rank = ({kind}: PermissionOption) => kinds.indexOf(kind);
  const options = request['options'] as PermissionOption[];
  return {...request, options: options.toSorted((one, other) => rank(one) - rank(other))};
}

/** Claude stores the cancelled turn as a user message. */
function meant(update: Record<string, unknown>): Record<string, unknown> {
  const {text} = (update['content'] ?? {}) as {text?: unknown};
  const isInterruption =
    update['sessionUpdate'] === 'user_message_chunk' && text === '[Request interrupted by user]';
  return isInterruption ? {sessionUpdate: 'notice', severity: 'info', title: 'Turn cancelled.'} : update;
}

function recordedText(recording: readonly RecordedMessage[]): string {
  return recordedUpdates(recording)
    .filter(({sessionUpdate}) => sessionUpdate === 'agent_message_chunk')
    .map(({content}) => (content as {text: string}).text)
    .join('');
}

function recordedToolCalls(recording: readonly RecordedMessage[]): Set<unknown> {
  const permissions = fromAgent(recording, 'session/request_permission').map(({toolCall}) => toolCall);
  return new Set(
    [...recordedUpdates(recording), ...permissions].flatMap((each) => {
      const {toolCallId} = each as {toolCallId?: string};
      return toolCallId === undefined ? [] : [toolCallId];
    }),
  );
}

const isUpdate = (each: ClientAction) => each.what === 'update';
const isPromptEnd = (each: ClientAction) => each.what === 'result' && each.method === 'session/prompt';

function lastIndex<T>(list: readonly T[], matches: (item: T) => boolean): number {
  return list.findLastIndex(matches);
}

/** Where the recorded agent answered the last prompt. */
function lastPromptAnswer(recording: readonly RecordedMessage[]): number {
  const prompts = new Set(
    recording.flatMap(({d, m}) => (d === '>' && m.method === 'session/prompt' ? [m.id] : [])),
  );
  return lastIndex(recording, ({d, m}) => d === '<' && m.method === undefined && prompts.has(m.id));
}

function agentText({entries}: SessionState): string {
  return entries
    .flatMap((entry) => (entry.type === 'agent_message' ? entry.content : []))
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');
}

/** The events that the client makes of the recorded actions. */
function eventsOf(each: ClientAction): SessionEvent[] {
  const at = 1;
  if (each.what === 'update') return [{type: 'session_update', at, update: each.update}];
  if (each.what === 'permission') {
    const {toolCallId} = each.asked.request.toolCall;
    const decision = {outcome: 'cancelled', option: undefined, by: 'test'} as const;
    return [
      {type: 'permission_requested', at, id: 'p', ...each.asked},
      {type: 'permission_resolved', at, id: 'p', toolCallId, decision},
    ];
  }
  if (each.what === 'asked')
    return each.method === 'session/prompt'
      ? [{type: 'prompt_started', at, turn: 1, content: each.params['prompt'] as ContentBlock[]}]
      : [];
  const {method, result} = each;
  if (method === 'session/prompt') {
    const outcome = result.ok
      ? ({kind: 'stopped', stopReason: (result.value as PromptResponse).stopReason} as const)
      : ({kind: 'failed', failure: result.failure} as const);
    return [{type: 'prompt_ended', at, turn: 1, outcome}];
  }
  if (!result.ok) return [];
  if (method === 'initialize')
    return [
      {type: 'agent_initialized', at, response: result.value as InitializeResponse, fallbackName: 'agent'},
    ];
  if (method === 'session/new')
    return [{type: 'session_opened', at, session: result.value as OpenedSession, how: 'new'}];
  return [];
}

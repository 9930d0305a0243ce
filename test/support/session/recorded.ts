import {readdirSync, readFileSync} from 'node:fs';
import type * as acp from '@agentclientprotocol/sdk/unstable';
import {createNormalizer} from '../../../src/protocol/normalize/deviation.ts';
import {readPermission, readUpdate} from '../../../src/protocol/normalize/messages.ts';
import type {UntimedEvent} from './build.ts';

const FOLDER = new URL('../../../fixtures/wire/', import.meta.url);

const normalize = createNormalizer(() => {});

export const recordings = readdirSync(FOLDER).filter((file) => file.endsWith('.ndjson'));

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: {readonly code: number; readonly message: string};
}

/** The session of a recorded wire: the events that a client would fold, in the order of the lines. */
export function eventsOf(recording: string): UntimedEvent[] {
  const asked = new Map<number, {readonly method: string; readonly turn: number}>();
  let turns = 0;
  const announced = new Set<string>();
  const requests = new Map<unknown, acp.RequestPermissionRequest>();
  return readFileSync(new URL(recording, FOLDER), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as {t: number; d: '<' | '>'; m: Message})
    .flatMap(({t, d, m}): UntimedEvent[] => {
      if (d === '>' && m.method === 'session/prompt') turns++;
      if (d === '>' && m.id !== undefined && m.method !== undefined)
        asked.set(m.id, {method: m.method, turn: turns});
      if (d === '<' && m.method === 'session/request_permission')
        requests.set(m.id, m.params as acp.RequestPermissionRequest);
      if (d === '>' && m.method === undefined && requests.has(m.id))
        return permissionAnswers(m, requests.get(m.id)).map((answer) => Object.assign(answer, {at: t}));
      const answered = d === '<' && m.method === undefined ? asked.get(m.id ?? -1) : undefined;
      const folded = untimedEvents(answered?.method ?? m.method, m, answered?.turn ?? turns);
      return folded.map((untimed) => Object.assign(ofSubagent(untimed, m, announced), {at: t}));
    });
}

/** The user's answer to a permission request, if it was one. */
function permissionAnswers(
  {id, result}: Message,
  request: acp.RequestPermissionRequest | undefined,
): UntimedEvent[] {
  const {outcome} = (result ?? {}) as Partial<acp.RequestPermissionResponse>;
  if (request === undefined || outcome === undefined) return [];
  const selected = outcome.outcome === 'selected' ? outcome.optionId : undefined;
  const option = request.options.find(({optionId}) => optionId === selected);
  const isAllowed = option?.kind.startsWith('allow');
  const answer = option === undefined ? 'cancelled' : isAllowed ? 'allowed' : 'rejected';
  const decision = {outcome: answer, option: option?.name, by: 'user'} as const;
  const {toolCallId} = request.toolCall;
  return [{type: 'permission_resolved', id: `request ${id}`, toolCallId, decision}];
}

/** Updates of a session that was announced as a subagent's are the subagent's. */
function ofSubagent(untimed: UntimedEvent, {params}: Message, announced: Set<string>): UntimedEvent {
  if (untimed.type !== 'session_update') return untimed;
  const {sessionId} = params as acp.SessionNotification;
  const {update} = untimed;
  if (update.sessionUpdate === 'subagent_update') announced.add(update.sessionId);
  return announced.has(sessionId) ? {type: 'subagent_updated', sessionId, update} : untimed;
}

function untimedEvents(
  method: string | undefined,
  {id, params, result, error}: Message,
  turn: number,
): UntimedEvent[] {
  switch (method) {
    case 'initialize':
      if (result === undefined) return [];
      return [{type: 'agent_initialized', response: result as acp.InitializeResponse, fallbackName: 'agent'}];
    case 'session/new': {
      if (result === undefined) return [];
      const session = {...(result as acp.NewSessionResponse), cwd: '/workspace', additionalDirectories: []};
      return [
        {type: 'session_opened', how: 'new', session},
        {type: 'connection_changed', connection: {kind: 'ready'}},
      ];
    }
    case 'session/prompt':
      if (params !== undefined)
        return [{type: 'prompt_started', turn, content: (params as acp.PromptRequest).prompt}];
      if (result !== undefined) {
        const {stopReason, usage} = result as acp.PromptResponse;
        const outcome = {kind: 'stopped', stopReason} as const;
        return [{type: 'prompt_ended', turn, outcome, usage: usage ?? null}];
      }
      return error === undefined
        ? []
        : [
            {
              type: 'prompt_ended',
              turn,
              outcome: {kind: 'failed', failure: {kind: 'agent_error', method, ...error}},
            },
          ];
    case 'session/cancel':
      return [{type: 'cancel_requested'}];
    case 'session/update':
      return [{type: 'session_update', update: readUpdate(params, normalize, () => {}).update}];
    case 'session/request_permission':
      return [
        {
          type: 'permission_requested',
          id: `request ${id}`,
          request: readPermission(params, normalize).request,
        },
      ];
    default:
      return [];
  }
}

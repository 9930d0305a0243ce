import type {SessionState} from '../session/state.ts';
import type {RunOutcome} from '../cli/exit-codes.ts';
import type {DeniedRequest} from '../host/services.ts';
import type {RunError} from './explain.ts';
import {agentOf, deniedOf, noticesOf, toolCallsOf, usageOf} from './forms.ts';
import type {RunResult} from './schema.ts';

export interface ResultParts {
  readonly state: SessionState;
  readonly messages: readonly string[];
  readonly denied: readonly DeniedRequest[];
  readonly stopReason: RunOutcome['stopReason'];
  readonly error: RunError | undefined;
  readonly exitCode: number;
  readonly durationMs: number;
}

/** The run as the object that `json` prints and `stream-json` ends with. */
export function resultOf(parts: ResultParts): RunResult {
  const {state, messages, denied, stopReason, error, exitCode, durationMs} = parts;
  return {
    v: 1,
    type: 'result',
    agent: agentOf(state),
    sessionId: state.sessionId ?? null,
    stopReason: stopReason ?? null,
    text: messages.join('\n\n'),
    toolCalls: toolCallsOf(state),
    denied: denied.map(deniedOf),
    usage: usageOf(state),
    notices: noticesOf(state),
    error: error ? {kind: error.kind, message: error.message} : null,
    exitCode,
    durationMs,
  };
}

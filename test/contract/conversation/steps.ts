import type {ScriptStep} from '../../../fixtures/fake-agent/scenarios/script.ts';

const CALL = {toolCallId: 'call-1', title: 'Delete it', kind: 'delete'};
const OPTIONS = [
  {optionId: 'yes', name: 'Allow', kind: 'allow_once'},
  {optionId: 'no', name: 'Reject', kind: 'reject_once'},
];
/** Requests permission for a call; the first option is `yes`, the second `no`. */
export const permission = (
  ask: string | number,
  toolCall: object = {...CALL, toolCallId: `call-${ask}`},
): ScriptStep => ({
  ask,
  method: 'session/request_permission',
  params: {sessionId: '$session', toolCall, options: OPTIONS},
});
/** `$/cancel_request` for a request of the agent. */
export const withdraw = (requestId: string | number): ScriptStep => ({
  send: {jsonrpc: '2.0', method: '$/cancel_request', params: {requestId}},
});
/** Starts a long-running command with the request ID `run`. */
export const run: readonly ScriptStep[] = [
  {
    ask: 'run',
    method: 'terminal/create',
    params: {sessionId: '$session', command: 'sleep', args: ['300']},
  },
  {answered: 'run'},
];
/** The parameters of other requests about that command. */
export const terminal = {sessionId: '$session', terminalId: '$run.terminalId'};

/** One request in a turn, waiting for its response. */
export function ask(
  method: string,
  params: Record<string, unknown>,
  id: string | number = 'it',
): ScriptStep[] {
  return [{ask: id, method, params: {sessionId: '$session', ...params}}, {answered: id}];
}

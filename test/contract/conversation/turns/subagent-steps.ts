import type * as acp from '@agentclientprotocol/sdk/unstable';
import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import {messageText} from '../../../../src/session/selectors.ts';
import type {SessionState} from '../../../../src/session/state.ts';

/** A schema update, of the open session or of a subagent's. */
export const update = (reported: acp.SessionUpdate, of?: string): ScriptStep => ({
  update: {...reported},
  ...(of && {of}),
});
export const subagent = (
  sessionId: string,
  reported: Partial<acp.SubagentUpdate> = {},
  of?: string,
): ScriptStep => update({sessionUpdate: 'subagent_update', sessionId, ...reported}, of);
export const says = (text: string, of?: string): ScriptStep =>
  update({sessionUpdate: 'agent_message_chunk', content: {type: 'text', text}}, of);
export const running: Partial<acp.SubagentUpdate> = {state: {state: 'running'}};
export const done: Partial<acp.SubagentUpdate> = {state: {state: 'idle', stopReason: 'end_turn'}};

const OPTIONS: acp.PermissionOption[] = [
  {optionId: 'yes', name: 'Allow', kind: 'allow_once'},
  {optionId: 'no', name: 'Reject', kind: 'reject_once'},
];
export const edit = (path: string): acp.ToolCall => ({
  toolCallId: 'call-1',
  title: 'Edit it',
  kind: 'edit',
  content: [{type: 'diff', path, oldText: null, newText: 'new\n'}],
});
export const permissionOf = (sessionId: string, toolCall: acp.ToolCall): ScriptStep => ({
  ask: 'may',
  method: 'session/request_permission',
  params: {sessionId, toolCall, options: OPTIONS},
});

/** The text of a subagent. */
export function saidIn(state: SessionState, id: string): string {
  const {entries} = state.subagents[id]!.session;
  return entries.map((entry) => (entry.type === 'agent_message' ? messageText(entry) : '')).join('');
}

import type {ScriptStep} from '../../../../fixtures/fake-agent/scenarios/script.ts';
import type {SessionState} from '../../../../src/session/state.ts';
import {openScripted, type OpenedConversation} from '../open-conversation.ts';

const properties = {
  name: {type: 'string', title: 'Your name'},
  port: {type: 'integer', default: 3000},
  sure: {type: 'boolean'},
  tools: {type: 'array', items: {type: 'string', enum: ['a', 'b']}},
  password: {type: 'string', title: 'A password'},
};
export const SCHEMA = {type: 'object', properties, required: ['name']};
export const FORM = {mode: 'form', message: 'Who are you?', requestedSchema: SCHEMA};
export const URL_MODE = {
  mode: 'url',
  elicitationId: 'sign-in-1',
  url: 'https://example.com/a?b=c',
  message: 'Please sign in',
};

export function elicit(params: Record<string, unknown>, id: string | number = 'it'): ScriptStep {
  return {ask: id, method: 'elicitation/create', params: {sessionId: '$session', ...params}};
}

export const completed = (elicitationId: string): ScriptStep => ({
  send: {jsonrpc: '2.0', method: 'elicitation/complete', params: {elicitationId}},
});

/** A client whose agent sends this request in its turn, and continues when it is answered. */
export async function openElicitation(
  params: Record<string, unknown>,
  then: readonly ScriptStep[] = [],
): Promise<OpenedConversation> {
  const opened = await openScripted({turns: [[elicit(params), {answered: 'it'}, ...then]]});
  opened.prompt('go');
  await opened.until(({pending}) => pending.length > 0, 'the question');
  return opened;
}

export const pendingId = ({pending}: SessionState) => pending[0]?.id ?? '';
export const elicitationEntries = ({entries}: SessionState) =>
  [...entries].filter((entry) => entry.type === 'elicitation');
